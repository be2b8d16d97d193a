package io.locket.settings;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The settings in effect in this process, with all defaults filled in. A bean for
 * applications that read their settings. It holds no secrets. Immutable.
 *
 * @param namespace the namespace of all keys
 * @param instance the name of this process, unique in the fleet
 * @param maskArguments whether the arguments of jobs are kept out of logs, holder
 * records, exceptions and endpoints, unless a job overrides it
 * @param redis access to Redis
 * @param lease leases
 * @param enqueue enqueuing
 * @param retry retries of queued runs, unless a job overrides them
 * @param history retention of ended jobs other than dead letters
 * @param dead retention of dead letters
 * @param leader the leader of the fleet
 * @param workers the groups of workers of this process, none if it runs no queued jobs
 * @param shutdownGrace the time for which a shutdown waits before it interrupts bodies
 * @param queues the policies of the queues that are configured, served or declared by a
 * job here, by name
 * @param otherQueues the policy of all other queues
 */
public record EffectiveSettings(String namespace, String instance, boolean maskArguments, Redis redis, Lease lease,
		Enqueue enqueue, Retry retry, History history, Retention dead, Leader leader, List<WorkerGroup> workers,
		Duration shutdownGrace, Map<String, QueuePolicy> queues, QueuePolicy otherQueues) {

	public EffectiveSettings {
		workers = List.copyOf(workers);
		queues = Collections.unmodifiableMap(new TreeMap<>(queues));
	}

	/**
	 * Returns the policy of a queue, also of a queue that is unknown in this process.
	 * @param name the name of the queue
	 * @return the policy for jobs that declare no strategies
	 */
	public QueuePolicy queue(String name) {
		return this.queues.getOrDefault(name, this.otherQueues);
	}

	/**
	 * Access to Redis.
	 *
	 * @param commandTimeout the timeout of a command
	 * @param waitReplicas the number of replicas that must confirm a lease before it
	 * counts
	 */
	public record Redis(Duration commandTimeout, int waitReplicas) {

	}

	/**
	 * Leases.
	 *
	 * @param store the store of the leases of direct calls: {@code REDIS} or
	 * {@code LOCK_REGISTRY}
	 * @param registryKey the registry key of the lock space in Redis, or {@code null}
	 * without Redis
	 * @param duration the duration of a lease without a heartbeat, unless a job overrides
	 * it
	 * @param heartbeat the interval at which leases of that duration are renewed
	 * @param onUnavailable the behavior of a direct call when the store does not respond
	 * @param onLostDirect the behavior when a direct call loses its lease
	 * @param onLostQueued the behavior when a queued run loses its lease
	 */
	public record Lease(String store, @Nullable String registryKey, Duration duration, Duration heartbeat,
			String onUnavailable, String onLostDirect, String onLostQueued) {

	}

	/**
	 * Enqueuing.
	 *
	 * @param defaultQueue the queue of jobs that declare none
	 * @param maxPayloadBytes the maximum size of the arguments of a job, in bytes
	 * @param afterCommit whether jobs that are enqueued in a transaction wait for its
	 * commit
	 */
	public record Enqueue(String defaultQueue, long maxPayloadBytes, boolean afterCommit) {

	}

	/**
	 * Retries.
	 *
	 * @param max the maximum number of retries of a failed job
	 * @param maxReclaims the number of reclaims from dead workers that count as one
	 * failed attempt
	 * @param initial the delay before the second attempt
	 * @param multiplier the factor by which the delay grows with each attempt
	 * @param longest the maximum delay
	 * @param jitter the random fraction of a delay, from 0 to 1
	 */
	public record Retry(int max, int maxReclaims, Duration initial, double multiplier, Duration longest,
			double jitter) {

	}

	/**
	 * The retention of ended jobs other than dead letters.
	 *
	 * @param maxAge the age after which a job is deleted
	 * @param maxSize the maximum number of jobs
	 * @param attempts the maximum number of failed attempts that are kept of a job
	 */
	public record History(Duration maxAge, int maxSize, int attempts) {

	}

	/**
	 * The retention of dead letters.
	 *
	 * @param maxAge the age after which a job is deleted
	 * @param maxSize the maximum number of jobs
	 */
	public record Retention(Duration maxAge, int maxSize) {

	}

	/**
	 * The leader of the fleet.
	 *
	 * @param election when this process takes part in the election: {@code ALWAYS},
	 * {@code NEVER}, or {@code WITH_SCHEDULES} for once there are schedules
	 * @param group the group of processes that elect one leader
	 * @param ttl the duration of the leader's lease without a heartbeat
	 * @param misfireAfter the delay after which a firing counts as missed
	 */
	public record Leader(String election, String group, Duration ttl, Duration misfireAfter) {

	}

	/**
	 * A group of workers.
	 *
	 * @param name the name of the group
	 * @param queues the queues that it serves, with their weights, in their order
	 * @param order the order in which it serves them: {@code STRICT} or {@code WEIGHTED}
	 * @param concurrency the maximum number of jobs that run at once
	 * @param threads the kind of threads: {@code PLATFORM} or {@code VIRTUAL}
	 * @param batch the maximum number of jobs that a thread takes at once
	 * @param batchHold the maximum time for which a job that has not started is held
	 * @param pollInterval the maximum time between two polls of the queues
	 */
	public record WorkerGroup(String name, Map<String, Integer> queues, String order, int concurrency, String threads,
			int batch, Duration batchHold, Duration pollInterval) {

	}

	/**
	 * The policy of a queue, for jobs that declare no strategies.
	 *
	 * @param lock the lock strategy, never {@code DEFAULT}
	 * @param onDuplicate the duplicate strategy, never {@code DEFAULT}
	 * @param onConflictQueued the conflict strategy of queued runs, neither
	 * {@code DEFAULT} nor {@code WAIT}
	 * @param onConflictDirect the conflict strategy of direct calls, never
	 * {@code DEFAULT}
	 * @param uniqueFor the period of {@code UNTIL_EXPIRED} jobs and the cap of tickets,
	 * for jobs that declare none; {@code null} for none
	 * @param maxRunning the maximum number of jobs of the queue that run at once in the
	 * fleet, {@code 0} for no limit
	 * @param served whether this process serves the queue
	 */
	public record QueuePolicy(LockStrategy lock, DuplicateStrategy onDuplicate, ConflictStrategy onConflictQueued,
			ConflictStrategy onConflictDirect, @Nullable Duration uniqueFor, int maxRunning, boolean served) {

	}

}
