package io.locket.autoconfigure.job;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.autoconfigure.properties.ConfiguredStrategies;
import io.locket.autoconfigure.properties.JobProperties;
import io.locket.autoconfigure.properties.LeaseStore;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.job.definition.JobSettings;
import io.locket.job.definition.StrategySettings;
import org.jspecify.annotations.Nullable;

/**
 * Mapper from the properties to {@link JobSettings}.
 */
public final class JobSettingsMapper {

	private JobSettingsMapper() {
	}

	public static JobSettings map(LocketProperties properties) {
		JobProperties job = properties.getJob();
		Map<String, StrategySettings> queues = new HashMap<>();
		properties.getQueues()
			.forEach((name, queue) -> queues.put(name,
					strategies(queue.getLock(), queue.getOnDuplicate(), queue.getOnConflict(), queue.getUniqueFor())));
		return new JobSettings(strategies(job.getLock(), job.getOnDuplicate(), job.getOnConflict(), job.getUniqueFor()),
				queues, properties.getQueue().getDefaultName(), properties.getRetry().getMax(),
				properties.isMaskArguments(), properties.getLease().getDuration(),
				properties.getRedis().getCommandTimeout(),
				properties.getLease().getStore() == LeaseStore.LOCK_REGISTRY);
	}

	private static StrategySettings strategies(ConfiguredStrategies.@Nullable Lock lock,
			ConfiguredStrategies.@Nullable OnDuplicate onDuplicate,
			ConfiguredStrategies.@Nullable OnConflict onConflict, @Nullable Duration uniqueFor) {
		return new StrategySettings((lock != null) ? lock.strategy() : LockStrategy.DEFAULT,
				(onDuplicate != null) ? onDuplicate.strategy() : DuplicateStrategy.DEFAULT,
				(onConflict != null) ? onConflict.strategy() : ConflictStrategy.DEFAULT, uniqueFor);
	}

}
