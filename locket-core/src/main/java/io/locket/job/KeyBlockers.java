package io.locket.job;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.KeyBlocker;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the job or holder that blocks a key. It first checks ticket, lease and claim
 * in one step, and then scans waiting and running jobs whose strategy has none of them.
 * The scan follows the order in which a job passes through its states, so that it finds a
 * job that becomes due or starts meanwhile. It takes and frees nothing. Thread-safe.
 */
final class KeyBlockers {

	private static final List<JobState> WAITING = List.of(JobState.SCHEDULED, JobState.RETRY, JobState.READY,
			JobState.PARKED);

	private final Supplier<@Nullable JobStore> store;

	private final Supplier<LeaseService> leases;

	KeyBlockers(Supplier<@Nullable JobStore> store, Supplier<LeaseService> leases) {
		this.store = store;
		this.leases = leases;
	}

	Optional<KeyBlocker> find(UniqueJobDefinition job, JobKey key) {
		JobStore store = this.store.get();
		Optional<KeyBlocker> blocker = (store != null) ? find(store, job, key) : Optional.empty();
		return (blocker.isPresent() || !job.lock().guardsDirectCalls()) ? blocker : findLease(job, key);
	}

	Optional<HeldLease> forceRelease(JobKey key) {
		return this.leases.get().forceRelease(key.digest());
	}

	private Optional<KeyBlocker> find(JobStore store, UniqueJobDefinition job, JobKey key) {
		boolean claimable = job.lock() == LockStrategy.UNTIL_EXPIRED;
		Optional<KeyBlocker> blocker = store.blocker(key, claimable);
		if (blocker.isEmpty() && !isTicketHeldWhileWaiting(job)) {
			blocker = searchQueues(store, key);
		}
		if (blocker.isEmpty() && !isTicketHeldWhileRunning(job)) {
			// A run that fails meanwhile takes its ticket back.
			blocker = search(store, JobState.RUNNING, null, key).or(() -> store.blocker(key, claimable));
		}
		return blocker;
	}

	private static Optional<KeyBlocker> searchQueues(JobStore store, JobKey key) {
		for (String queue : store.queues()) {
			QueueCounts counts = store.counts(queue);
			long counted = 0;
			for (JobState state : WAITING) {
				// A job may have gone on since it was counted.
				counted += counts.in(state);
				Optional<KeyBlocker> blocker = (counted > 0) ? search(store, state, queue, key) : Optional.empty();
				if (blocker.isPresent()) {
					return blocker;
				}
			}
		}
		return Optional.empty();
	}

	/**
	 * Returns whether a waiting job always has its ticket. A cap may end it before the
	 * job.
	 */
	private static boolean isTicketHeldWhileWaiting(UniqueJobDefinition job) {
		return job.lock().isUniqueWhileWaiting() && job.uniqueFor() == null;
	}

	private static boolean isTicketHeldWhileRunning(UniqueJobDefinition job) {
		return job.lock().leasesQueuedRuns();
	}

	private static Optional<KeyBlocker> search(JobStore store, JobState state, @Nullable String queue, JobKey key) {
		String cursor = null;
		do {
			JobPage page = store.list(new JobQuery(state, queue, key.job(), key.digest(), 1, cursor));
			if (!page.jobs().isEmpty()) {
				JobRecord job = page.jobs().get(0);
				return Optional.of(KeyBlocker.ofJob(job.id(), job.state(), job.queue()));
			}
			cursor = page.cursor();
		}
		while (cursor != null);
		return Optional.empty();
	}

	/**
	 * Finds the lease where there is no queue, or where leases are in another store.
	 */
	private Optional<KeyBlocker> findLease(UniqueJobDefinition job, JobKey key) {
		LeaseService leases = this.leases.get();
		Optional<HeldLease> lease = (job.lock() == LockStrategy.UNTIL_EXPIRED) ? leases.findClaim(key)
				: leases.find(key);
		return lease.map((held) -> KeyBlocker.ofHolder(held.holder()));
	}

}
