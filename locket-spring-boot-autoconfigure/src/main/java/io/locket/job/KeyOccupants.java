package io.locket.job;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.lease.HeldLease;
import io.locket.lease.LeaseService;
import io.locket.queue.JobListing;
import io.locket.queue.JobPage;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import io.locket.queue.KeyOccupant;
import io.locket.queue.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who is there of a key: by its ticket, lease or claim in one step, and jobs
 * that have none of them by looking through those that wait and run. Takes and frees
 * nothing. Thread-safe.
 */
final class KeyOccupants {

	private static final List<JobState> WAITING = List.of(JobState.READY, JobState.PARKED, JobState.RETRY,
			JobState.SCHEDULED);

	private final Supplier<@Nullable JobStore> store;

	private final Supplier<LeaseService> leases;

	KeyOccupants(Supplier<@Nullable JobStore> store, Supplier<LeaseService> leases) {
		this.store = store;
		this.leases = leases;
	}

	Optional<KeyOccupant> find(UniqueJobDefinition job, JobKey key) {
		JobStore store = this.store.get();
		Optional<KeyOccupant> occupant = (store != null) ? find(store, job, key) : Optional.empty();
		return (occupant.isPresent() || !job.lock().guardsDirectCalls()) ? occupant : findLease(job, key);
	}

	private Optional<KeyOccupant> find(JobStore store, UniqueJobDefinition job, JobKey key) {
		Optional<KeyOccupant> occupant = store.occupant(key);
		if (occupant.isEmpty() && !isTicketHeldWhileRunning(job)) {
			occupant = search(store, JobState.RUNNING, null, key);
		}
		if (occupant.isEmpty() && !isTicketHeldWhileWaiting(job)) {
			occupant = searchQueues(store, key);
		}
		return occupant;
	}

	private static Optional<KeyOccupant> searchQueues(JobStore store, JobKey key) {
		for (String queue : store.queues()) {
			QueueCounts counts = store.counts(queue);
			for (JobState state : WAITING) {
				Optional<KeyOccupant> occupant = (counts.in(state) > 0) ? search(store, state, queue, key)
						: Optional.empty();
				if (occupant.isPresent()) {
					return occupant;
				}
			}
		}
		return Optional.empty();
	}

	/**
	 * A cap may end a ticket before its job.
	 */
	private static boolean isTicketHeldWhileWaiting(UniqueJobDefinition job) {
		return job.lock().isUniqueWhileWaiting() && job.uniqueFor() == null;
	}

	private static boolean isTicketHeldWhileRunning(UniqueJobDefinition job) {
		return job.lock().leasesQueuedRuns();
	}

	private static Optional<KeyOccupant> search(JobStore store, JobState state, @Nullable String queue, JobKey key) {
		String cursor = null;
		do {
			JobPage page = store.list(new JobListing(state, queue, key.job(), key.digest(), 1, cursor));
			if (!page.jobs().isEmpty()) {
				JobRecord job = page.jobs().get(0);
				return Optional.of(new KeyOccupant(job.id(), job.state(), job.queue(), -1, null));
			}
			cursor = page.cursor();
		}
		while (cursor != null);
		return Optional.empty();
	}

	/**
	 * Where there is no queue, or leases are elsewhere than it is.
	 */
	private Optional<KeyOccupant> findLease(UniqueJobDefinition job, JobKey key) {
		LeaseService leases = this.leases.get();
		Optional<HeldLease> lease = (job.lock() == LockStrategy.UNTIL_EXPIRED) ? leases.findClaim(key)
				: leases.find(key);
		return lease.map((held) -> new KeyOccupant(null, null, null, -1, held.holder()));
	}

}
