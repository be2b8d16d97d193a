package io.locket.worker.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * Settings of the workers of this process. Immutable.
 *
 * @param namespace the namespace whose jobs they run
 * @param instance the name of this process, unique in the fleet
 * @param groups the groups of workers
 * @param maxRunning the maximum number of running jobs of a queue in the fleet; a queue
 * without an entry has no limit
 * @param shutdownGrace the time that a shutdown waits for bodies before it interrupts
 * them
 * @param interruptOnLost whether a body is interrupted when its lease is lost
 * @param deferDelay the delay until a job that this process cannot run is due again
 * @param retry the retry settings
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
