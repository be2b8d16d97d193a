package io.locket.job;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;

/**
 * What becomes of jobs that are enqueued into another queue than their own: what the
 * annotation leaves open is as the queue says that they go to. Thread-safe.
 */
final class QueuePolicies {

	private static final String NO_POLICY = "";

	private final JobSettings settings;

	private final Map<Target, UniqueJobDefinition> jobs = new ConcurrentHashMap<>();

	QueuePolicies(JobSettings settings) {
		this.settings = settings;
	}

	/**
	 * Return a job with the strategies that it has in a queue.
	 * @param job the job as it is in its own queue
	 * @param queue the queue that it goes to
	 * @return the job, with the name of its own queue
	 * @throws IllegalArgumentException if it cannot be unique there as it has to be
	 */
	UniqueJobDefinition in(UniqueJobDefinition job, String queue) {
		if (queue.equals(job.queue())) {
			return job;
		}
		String policy = this.settings.queues().containsKey(queue) ? queue : NO_POLICY;
		return this.jobs.computeIfAbsent(new Target(job.name(), job.method(), policy), (target) -> apply(job, queue));
	}

	private UniqueJobDefinition apply(UniqueJobDefinition job, String queue) {
		JobStrategies strategies = JobStrategies.of(job.declared(), queue, this.settings);
		if (strategies.lock() == LockStrategy.UNTIL_EXPIRED && job.uniqueFor() == null) {
			throw refusal(job, queue, "UNTIL_EXPIRED, as " + strategies.chosenLock().source() + " says, has no period",
					"Write uniqueFor on the job, or another lock strategy there");
		}
		if (strategies.lock() == LockStrategy.UNTIL_AND_WHILE_EXECUTING
				&& strategies.queued() == ConflictStrategy.REJECT) {
			throw refusal(job, queue,
					"UNTIL_AND_WHILE_EXECUTING, as " + strategies.chosenLock().source()
							+ " says, with on-conflict REJECT, as " + strategies.chosenConflict().source()
							+ " says, would lose the update that waits",
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
	 * Queues without a policy of their own are alike, so that there are no more targets
	 * than the configuration has.
	 */
	private record Target(String job, Method method, String policy) {

	}

}
