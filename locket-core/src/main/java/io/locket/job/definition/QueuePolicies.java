package io.locket.job.definition;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;

/**
 * Strategies of jobs that are enqueued into another queue than their own. Strategies that
 * the annotation does not state are those of the target queue. Thread-safe.
 */
public final class QueuePolicies {

	private static final String NO_POLICY = "";

	private final JobSettings settings;

	private final Map<Target, UniqueJobDefinition> jobs = new ConcurrentHashMap<>();

	public QueuePolicies(JobSettings settings) {
		this.settings = settings;
	}

	/**
	 * Returns a job with the strategies that it has in a queue.
	 * @param job the job as it is in its own queue
	 * @param queue the target queue
	 * @return the job, with the name of its own queue
	 * @throws IllegalArgumentException if its strategies are not supported there
	 */
	public UniqueJobDefinition in(UniqueJobDefinition job, String queue) {
		if (queue.equals(job.queue())) {
			return job;
		}
		String policy = this.settings.queues().containsKey(queue) ? queue : NO_POLICY;
		return this.jobs.computeIfAbsent(new Target(job.name(), job.method(), job.beanType(), policy),
				(target) -> apply(job, queue));
	}

	private UniqueJobDefinition apply(UniqueJobDefinition job, String queue) {
		JobStrategies strategies = JobStrategies.of(job.declared(), queue, this.settings);
		if (strategies.lock() == LockStrategy.UNTIL_EXPIRED && strategies.uniqueFor() == null) {
			throw refusal(job, queue, "UNTIL_EXPIRED (from " + strategies.chosenLock().source() + ") has no period",
					"Write uniqueFor on the job, locket.queues." + queue
							+ ".unique-for, or another lock strategy there");
		}
		if (strategies.lock() == LockStrategy.UNTIL_AND_WHILE_EXECUTING
				&& strategies.queued() == ConflictStrategy.REJECT) {
			throw refusal(job, queue,
					"UNTIL_AND_WHILE_EXECUTING (from " + strategies.chosenLock().source()
							+ ") with on-conflict REJECT (from " + strategies.chosenConflict().source()
							+ ") would lose the update that waits",
					"Write PARK or RAISE, or UNTIL_EXECUTED");
		}
		return job.with(strategies);
	}

	private static IllegalArgumentException refusal(UniqueJobDefinition job, String queue, String reason,
			String action) {
		return new IllegalArgumentException(
				"Job '" + job.name() + "' cannot be enqueued into queue '" + queue + "': " + reason + ". " + action);
	}

	/**
	 * Key of the cache. Queues without a policy of their own share an entry, so the cache
	 * is bounded by the configuration.
	 */
	private record Target(String job, Method method, Class<?> beanType, String policy) {

	}

}
