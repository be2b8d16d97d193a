package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * How the workers of this process work. Immutable.
 *
 * @param namespace the namespace whose jobs they run
 * @param instance the name of this process, unique in the fleet
 * @param groups the groups of workers
 * @param maxRunning how many jobs of a queue may run at once in the fleet; a queue that
 * is not there has no bound
 * @param shutdownGrace how long a shutdown waits for bodies before it interrupts them
 * @param interruptOnLost whether a body is interrupted when its lease is lost
 * @param deferDelay after how long a job comes back that this process cannot run
 * @param retry how failed attempts are repeated
 */
public record WorkerSettings(String namespace, String instance, List<GroupSettings> groups,
		Map<String, Integer> maxRunning, Duration shutdownGrace, boolean interruptOnLost, Duration deferDelay,
		RetrySettings retry) {

	public WorkerSettings {
		Assert.hasText(namespace, "'namespace' must not be empty");
		Assert.hasText(instance, "'instance' must not be empty");
		Objects.requireNonNull(retry, "'retry' must not be null");
		Assert.isTrue(!shutdownGrace.isNegative(), "'shutdownGrace' must not be negative");
		Assert.isTrue(deferDelay.toMillis() > 0, "'deferDelay' must be at least a millisecond");
		groups = List.copyOf(groups);
		maxRunning = Map.copyOf(maxRunning);
	}

}
