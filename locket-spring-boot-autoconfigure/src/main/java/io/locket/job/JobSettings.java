package io.locket.job;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * What a {@link io.locket.UniqueJob} gets that does not say otherwise, and what bounds
 * it.
 *
 * @param strategies the strategies of jobs whose queue has none of its own
 * @param queues the strategies of queues, by their names
 * @param defaultQueue the queue of jobs that name none
 * @param retries how many failed attempts of a queued run are followed by another one
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param leaseDuration how long a lease lasts without a heartbeat
 * @param commandTimeout how long the store may take to answer; a lease lasts for three of
 * them at least
 * @param threadBound whether the store's locks belong to the thread that took them, so
 * that neither results that arrive later nor periods nor minimum holds can be guarded
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
	 * Return the strategies of a queue.
	 * @param queue the name of the queue
	 * @return its own, which may say nothing
	 */
	StrategySettings ofQueue(String queue) {
		return this.queues.getOrDefault(queue, StrategySettings.NONE);
	}

}
