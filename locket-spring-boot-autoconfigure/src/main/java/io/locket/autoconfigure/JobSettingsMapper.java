package io.locket.autoconfigure;

import java.util.Map;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.job.JobSettings;
import io.locket.job.StrategySettings;

/**
 * Makes the settings of jobs of the properties.
 */
final class JobSettingsMapper {

	private JobSettingsMapper() {
	}

	static JobSettings map(LocketProperties properties) {
		LocketProperties.Job job = properties.getJob();
		return new JobSettings(
				new StrategySettings(job.getLock(), DuplicateStrategy.DEFAULT,
						Objects.requireNonNullElse(job.getOnConflict(), ConflictStrategy.DEFAULT)),
				Map.of(), "default", 5, properties.isMaskArguments(), properties.getLease().getDuration(),
				properties.getRedis().getCommandTimeout(),
				properties.getLease().getStore() == LeaseStore.LOCK_REGISTRY);
	}

}
