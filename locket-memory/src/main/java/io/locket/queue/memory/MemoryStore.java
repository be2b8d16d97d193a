package io.locket.queue.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.QueueEvent;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;

/**
 * State of the {@link InMemoryJobQueue}. Everything else is derived from the jobs.
 */
final class MemoryStore {

	/**
	 * Time for which the counters of a removed queue are kept.
	 */
	private static final Duration KNOWN_FOR = Duration.ofHours(1);

	final LockSpace space;

	/**
	 * Time of the current step in milliseconds.
	 */
	long now;

	/**
	 * All jobs by their ids, in the order in which they were accepted.
	 */
	final Map<String, MemoryJob> jobs;

	final MemoryIndex index;

	final Map<String, QueueState> queues = new TreeMap<>();

	/**
	 * Ids of jobs by the digest for which they hold or held a ticket.
	 */
	final Map<String, String> tickets = new HashMap<>();

	/**
	 * Ids of jobs by the id of the new job that replaced their arguments.
	 */
	final Map<String, String> replacements = new HashMap<>();

	/**
	 * New jobs whose arguments replaced those of other jobs, by their ids.
	 */
	final Map<String, NewJob> replacers = new HashMap<>();

	/**
	 * Results by the token of the ended run.
	 */
	final Map<String, EndResult> ends = new HashMap<>();

	/**
	 * Last request of each poller.
	 */
	final Map<String, LastRequest> requests = new HashMap<>();

	/**
	 * Time of the last request for polls.
	 */
	Instant pollsRequestedAt = Instant.EPOCH;

	final QuietMarks quiet = new QuietMarks();

	final OlderJobs older = new OlderJobs(this);

	/**
	 * Events of the current step.
	 */
	final List<QueueEvent> events = new ArrayList<>();

	/**
	 * Queues that have received work in the current step.
	 */
	final Set<String> notified = new LinkedHashSet<>();

	MemoryStore(LockSpace space) {
		this(space, new LinkedHashMap<>(), new MemoryIndex());
	}

	/**
	 * Creates a store.
	 * @param jobs an empty map in the order of insertion
	 * @param index an empty index
	 */
	MemoryStore(LockSpace space, Map<String, MemoryJob> jobs, MemoryIndex index) {
		this.space = space;
		this.jobs = jobs;
		this.index = index;
		this.now = space.atomically(space::now);
	}

	QueueState queue(String name) {
		return this.queues.computeIfAbsent(name, QueueState::new);
	}

	/**
	 * Omits a known queue from overviews if it is empty.
	 */
	void unlistIfEmpty(String queue) {
		QueueState state = this.queues.get(queue);
		if (state != null && !state.paused && isEmpty(queue)) {
			state.unlisted = true;
		}
		if (state != null) {
			state.removedWith = state.arrivals();
			state.forgottenAt = this.now + KNOWN_FOR.toMillis();
		}
	}

	/**
	 * Returns whether all jobs of a queue have ended, and none is a dead letter.
	 */
	private boolean isEmpty(String queue) {
		return this.index.states(queue)
			.values()
			.stream()
			.flatMap(Set::stream)
			.allMatch((job) -> job.state.isEnded() && !job.isLetter());
	}

	/**
	 * Deletes removed queues that are empty and have received no job since.
	 */
	void forgetRemoved() {
		for (QueueState state : List.copyOf(this.queues.values())) {
			if (state.forgottenAt <= this.now) {
				forgetRemoved(state);
			}
		}
	}

	private void forgetRemoved(QueueState queue) {
		if (queue.removedWith != queue.arrivals()) {
			queue.forgottenAt = Long.MAX_VALUE;
		}
		else if (queue.paused || !isEmpty(queue.name)) {
			queue.forgottenAt = this.now + KNOWN_FOR.toMillis();
		}
		else {
			this.queues.remove(queue.name);
			List<MemoryJob> ended = this.index.states(queue.name).values().stream().flatMap(Set::stream).toList();
			ended.forEach((job) -> change(job, () -> job.uncounted = true));
		}
	}

	boolean isPaused(String queue) {
		QueueState state = this.queues.get(queue);
		return state != null && state.paused;
	}

	/**
	 * Returns whether a queue has as many running jobs as it may have.
	 */
	boolean isFull(QueueLimit limit) {
		return limit.maxRunning() > 0 && this.index.jobs(limit.queue(), JobState.RUNNING).size() >= limit.maxRunning();
	}

	/**
	 * Adds a new job.
	 */
	void add(MemoryJob job) {
		this.jobs.put(job.id(), job);
		this.index.add(job);
	}

	/**
	 * Changes values of a job that is filed under them in the index. Changes must not be
	 * nested.
	 */
	void change(MemoryJob job, Runnable change) {
		this.index.remove(job);
		try {
			change.run();
		}
		finally {
			this.index.add(job);
		}
	}

	List<MemoryJob> jobs(Predicate<MemoryJob> predicate, Comparator<MemoryJob> order) {
		return this.jobs.values().stream().filter(predicate).sorted(order).collect(Collectors.toList());
	}

	/**
	 * Returns the jobs of a queue in the given state, ordered by their place.
	 */
	List<MemoryJob> jobs(String queue, JobState state) {
		return List.copyOf(this.index.jobs(queue, state));
	}

	@Nullable MemoryJob ticketOwner(String digest) {
		MemoryJob owner = this.jobs.get(this.tickets.get(digest));
		return (owner != null && owner.isCovered() && owner.capAt > this.now) ? owner : null;
	}

	@Nullable KeyLock claim(String digest) {
		return this.space.claim(digest);
	}

	/**
	 * Returns the claim that a job has made, or {@code null} if it no longer holds it.
	 */
	@Nullable KeyLock claim(MemoryJob job) {
		KeyLock claim = (job.lock() == LockStrategy.UNTIL_EXPIRED) ? claim(job.digest()) : null;
		return (claim != null && job.id().equals(claim.job())) ? claim : null;
	}

	@Nullable KeyLock lock(String digest) {
		return this.space.lock(digest);
	}

	boolean isLockedBy(String digest, String token) {
		KeyLock lock = lock(digest);
		return lock != null && lock.owner().equals(token);
	}

	/**
	 * Deletes an ended job and what is left of it.
	 */
	void forget(MemoryJob job) {
		this.jobs.remove(job.id());
		this.index.remove(job);
		if (!job.uncounted) {
			queue(job.queue()).accepted--;
		}
		this.tickets.remove(job.digest(), job.id());
		this.replacements.values().removeIf(job.id()::equals);
		this.space.forget(job.digest(), job.id());
	}

	/**
	 * Deletes everything except locks and claims.
	 */
	void clear() {
		this.jobs.clear();
		this.index.clear();
		this.queues.clear();
		this.tickets.clear();
		this.replacements.clear();
		this.replacers.clear();
		this.ends.clear();
		this.requests.clear();
		this.pollsRequestedAt = Instant.EPOCH;
		this.quiet.clear();
	}

	/**
	 * Last request of a poller.
	 *
	 * @param id the id of the request
	 * @param instance the process that sent the request
	 * @param time the time of the request
	 */
	record LastRequest(String id, String instance, Instant time) {

	}

	/**
	 * State of a queue.
	 */
	static final class QueueState {

		final String name;

		boolean paused;

		/**
		 * Whether the queue was empty when it was removed, and has been empty since.
		 */
		boolean unlisted;

		long accepted;

		long movedIn;

		long movedOut;

		long failedAttempts;

		long lastSequence;

		/**
		 * Number of jobs that the queue had received when it was removed.
		 */
		long removedWith;

		/**
		 * Time at which the queue is deleted, unless it has received jobs since its
		 * removal.
		 */
		long forgottenAt = Long.MAX_VALUE;

		QueueState(String name) {
			this.name = name;
		}

		long arrivals() {
			return this.accepted + this.movedIn;
		}

	}

}
