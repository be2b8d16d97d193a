package io.locket.queue.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.JobState;
import io.locket.queue.Violation;

/**
 * Check of the invariants of the {@link InMemoryJobQueue}.
 */
final class MemoryCheck {

	private final MemoryStore store;

	private final List<Violation> violations = new ArrayList<>();

	MemoryCheck(MemoryStore store) {
		this.store = store;
	}

	List<Violation> violations() {
		this.store.jobs.values().forEach(this::checkJob);
		checkTickets();
		checkLocks();
		this.store.queues.values().forEach(this::checkQueue);
		checkIndex();
		return this.violations;
	}

	private void checkJob(MemoryJob job) {
		check(!job.dismissed || job.is(JobState.DEAD), job.id(), "is dismissed and not dead");
		check(job.is(JobState.RUNNING) == (job.run != null), job.id(), "runs exactly if it has a run");
		check(job.state.isEnded() == (job.endedAt != null), job.id(), "has ended exactly if it has an end");
		check(!job.aside || job.is(JobState.RETRY), job.id(), "is set aside and does not wait for a retry");
		check(!job.promoted || job.is(JobState.READY), job.id(), "is promoted and not ready");
		check(!(job.cancelled || job.removed) || !job.state.isWaiting(), job.id(), "is flagged and waits");
		check(!job.is(JobState.PARKED) || job.lock().leasesQueuedRuns(), job.id(), "is parked and needs no lease");
		check(job.attempts.size() <= job.attempt, job.id(), "keeps more attempts than have failed");
		check(job.is(JobState.SCHEDULED) || job.state.isEnded() || job.sequence > 0, job.id(), "has no place");
	}

	/**
	 * Checks that exactly the jobs whose strategy covers their state hold a ticket. After
	 * the cap has passed the ticket may be lost.
	 */
	private void checkTickets() {
		for (MemoryJob job : this.store.jobs.values()) {
			boolean unique = job.isCovered() && job.capAt > this.store.now;
			check(!unique || this.store.ticketOwner(job.digest()) == job, job.id(), "has lost its ticket");
			check(job.isCovered() || !job.id().equals(this.store.tickets.get(job.digest())), job.id(),
					"keeps its ticket beyond its time");
		}
	}

	private void checkLocks() {
		Map<String, String> holders = new HashMap<>();
		for (MemoryJob job : this.store.jobs.values()) {
			if (job.run != null && job.run.keyLeased && this.store.isLockedBy(job.digest(), job.run.token)) {
				check(holders.put(job.digest(), job.id()) == null, job.digest(), "has two holders");
			}
		}
	}

	private void checkQueue(MemoryStore.QueueState queue) {
		Set<Long> places = new HashSet<>();
		long jobs = 0;
		for (MemoryJob job : this.store.jobs.values()) {
			if (!job.uncounted && job.queue().equals(queue.name)) {
				jobs++;
				check(job.sequence == 0 || places.add(job.sequence), job.id(), "shares its place");
			}
		}
		long balance = queue.accepted + queue.movedIn - queue.movedOut;
		check(jobs == balance, queue.name, "has " + jobs + " jobs and has got " + balance);
	}

	private void checkIndex() {
		MemoryIndex index = new MemoryIndex();
		this.store.jobs.values().forEach(index::add);
		check(this.store.index.isSameAs(index), "index", "differs from the jobs");
	}

	private void check(boolean condition, String subject, String description) {
		if (!condition) {
			this.violations.add(new Violation(subject, description, false));
		}
	}

}
