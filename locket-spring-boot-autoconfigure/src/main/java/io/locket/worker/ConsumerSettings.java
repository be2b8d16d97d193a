package io.locket.worker;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * How the {@link JobConsumers} of this process work. Immutable.
 *
 * @param instance the name of this process, unique in the fleet
 * @param maxRunning how many jobs of a queue may run at once in the fleet; a queue that
 * is not there has no bound
 * @param pollInterval the longest time between two looks of those who wait
 * @param shutdownGrace how long a shutdown waits for taken jobs to be ended
 * @param deferDelay after how long a job comes back that this process cannot read
 * @param retry how failed attempts are repeated
 * @param maskArguments whether what a job fails with that is not known here is kept
 * without its message
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
