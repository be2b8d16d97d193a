package io.locket.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.job.JobSettings;
import io.locket.job.StrategySettings;
import org.jspecify.annotations.Nullable;

/**
 * Makes the settings of jobs of the properties.
 */
final class JobSettingsMapper {

	private JobSettingsMapper() {
	}

	static JobSettings map(LocketProperties properties) {
		JobProperties job = properties.getJob();
		Map<String, StrategySettings> queues = new HashMap<>();
		properties.getQueues()
			.forEach((name, queue) -> queues.put(name,
					strategies(queue.getLock(), queue.getOnDuplicate(), queue.getOnConflict())));
		return new JobSettings(strategies(job.getLock(), job.getOnDuplicate(), job.getOnConflict()), queues,
				properties.getQueue().getDefaultName(), properties.getRetry().getMax(), properties.isMaskArguments(),
				properties.getLease().getDuration(), properties.getRedis().getCommandTimeout(),
				properties.getLease().getStore() == LeaseStore.LOCK_REGISTRY);
	}

	private static StrategySettings strategies(@Nullable LockStrategy lock, @Nullable DuplicateStrategy onDuplicate,
			@Nullable ConflictStrategy onConflict) {
		return new StrategySettings(Objects.requireNonNullElse(lock, LockStrategy.DEFAULT),
				Objects.requireNonNullElse(onDuplicate, DuplicateStrategy.DEFAULT),
				Objects.requireNonNullElse(onConflict, ConflictStrategy.DEFAULT));
	}

}
