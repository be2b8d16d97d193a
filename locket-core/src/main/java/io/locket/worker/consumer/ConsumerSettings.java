package io.locket.worker.consumer;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.locket.worker.settings.RetrySettings;

import org.springframework.util.Assert;

/**
 * Settings of the {@link JobConsumers} of this process. Immutable.
 *
 * @param instance the name of this process, unique in the fleet
 * @param maxRunning the maximum number of running jobs of a queue in the fleet; a queue
 * without an entry has no limit
 * @param pollInterval the maximum time between two polls of a waiting consumer
 * @param shutdownGrace the time that a shutdown waits for taken jobs to be ended
 * @param deferDelay the delay until a job that this process cannot read is due again
 * @param retry the retry settings
 * @param maskArguments whether messages of failures are not stored for jobs that are
 * unknown in this process
 */
public record ConsumerSettings(String instance, Map<String, Integer> maxRunning, Duration pollInterval,
		Duration shutdownGrace, Duration deferDelay, RetrySettings retry, boolean maskArguments) {

	public ConsumerSettings {
		Assert.hasText(instance, "'instance' must not be empty");
		Assert.isTrue(pollInterval.toMillis() > 0, "'pollInterval' must be at least a millisecond");
		Assert.isTrue(!shutdownGrace.isNegative(), "'shutdownGrace' must not be negative");
		Assert.isTrue(deferDelay.toMillis() > 0, "'deferDelay' must be at least a millisecond");
		Objects.requireNonNull(retry, "'retry' must not be null");
		maxRunning = Map.copyOf(maxRunning);
	}

}
