package io.locket.job.definition;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Defaults and limits for {@link io.locket.UniqueJob} methods.
 *
 * @param strategies the strategies of jobs whose queue has none of its own
 * @param queues the strategies of queues, by their names
 * @param defaultQueue the queue of jobs that name none
 * @param retries the number of failed attempts of a queued run that are followed by
 * another one
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param leaseDuration the duration of a lease without a heartbeat
 * @param commandTimeout the maximum response time of the store; a lease lasts at least
 * three times as long
 * @param threadBound whether the locks of the store belong to the thread that acquired
 * them, so that asynchronous results, periods and minimum holds cannot be guarded
 */
public record JobSettings(StrategySettings strategies, Map<String, StrategySettings> queues, String defaultQueue,
		int retries, boolean maskArguments, Duration leaseDuration, Duration commandTimeout, boolean threadBound) {

	public JobSettings {
		Objects.requireNonNull(strategies, "'strategies' must not be null");
		Objects.requireNonNull(defaultQueue, "'defaultQueue' must not be null");
		Objects.requireNonNull(leaseDuration, "'leaseDuration' must not be null");
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		queues = Map.copyOf(queues);
	}

	/**
	 * Returns the strategies of a queue.
	 * @param queue the name of the queue
	 * @return its own strategies, possibly none
	 */
	StrategySettings ofQueue(String queue) {
		return this.queues.getOrDefault(queue, StrategySettings.NONE);
	}

	/**
	 * Returns whether the configuration states a lock strategy that uses a period, for
	 * all jobs or for a queue.
	 */
	boolean usePeriods() {
		return Stream.concat(Stream.of(this.strategies), this.queues.values().stream())
			.map(StrategySettings::lock)
			.anyMatch(JobStrategies::refusesDuplicates);
	}

}
