package io.locket.queue.memory;

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
import io.locket.event.QueueEvent;
import io.locket.lease.memory.KeyLock;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.EndResult;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link InMemoryJobQueue} remembers: everything else is looked for among all
 * jobs.
 */
final class MemoryStore {

	final LockSpace space;

	/**
	 * The time of the step that is being done, in milliseconds.
	 */
	long now;

	final Map<String, MemoryJob> jobs = new LinkedHashMap<>();

	final Map<String, Line> lines = new TreeMap<>();

	/**
	 * Ids of jobs by the digest for which they hold or have held a ticket.
	 */
	final Map<String, String> tickets = new HashMap<>();

	/**
	 * Ids of jobs by the id of the newcomer whose arguments they took.
	 */
	final Map<String, String> replacements = new HashMap<>();

	/**
	 * Answers by the token of the run that ended.
	 */
	final Map<String, EndResult> ends = new HashMap<>();

	/**
	 * The last requests by the lane that asked.
	 */
	final Map<String, LastRequest> requests = new HashMap<>();

	/**
	 * What has happened in the step that is being done.
	 */
	final List<QueueEvent> events = new ArrayList<>();

	/**
	 * The queues that have got work in the step that is being done.
	 */
	final Set<String> news = new LinkedHashSet<>();

	MemoryStore(LockSpace space) {
		this.space = space;
		this.now = space.atomically(space::now);
	}

	Line line(String queue) {
		return this.lines.computeIfAbsent(queue, Line::new);
	}

	/**
	 * Leave a queue that is known and holds nothing out of overviews.
	 */
	void unlistIfEmpty(String queue) {
		Line line = this.lines.get(queue);
		if (line != null && !line.paused
				&& this.jobs.values()
					.stream()
					.noneMatch((job) -> job.queue().equals(queue) && (!job.state.isEnded() || job.isLetter()))) {
			line.unlisted = true;
		}
	}

	boolean isPaused(String queue) {
		Line line = this.lines.get(queue);
		return line != null && line.paused;
	}

	List<MemoryJob> jobs(Predicate<MemoryJob> predicate, Comparator<MemoryJob> order) {
		return this.jobs.values().stream().filter(predicate).sorted(order).collect(Collectors.toList());
	}

	/**
	 * Return the jobs of a queue in a state, by their place.
	 */
	List<MemoryJob> jobs(String queue, JobState state) {
		return jobs((job) -> job.queue().equals(queue) && job.is(state), Comparator.comparing((job) -> job.sequence));
	}

	@Nullable MemoryJob ticketOwner(String digest) {
		MemoryJob owner = this.jobs.get(this.tickets.get(digest));
		return (owner != null && owner.isCovered() && owner.capAt > this.now) ? owner : null;
	}

	@Nullable KeyLock claim(String digest) {
		return this.space.claim(digest);
	}

	@Nullable KeyLock lock(String digest) {
		return this.space.lock(digest);
	}

	boolean isLockedBy(String digest, String token) {
		KeyLock lock = lock(digest);
		return lock != null && lock.owner().equals(token);
	}

	/**
	 * Forget a job that has ended, and what is left of it.
	 */
	void forget(MemoryJob job) {
		this.jobs.remove(job.id());
		line(job.queue()).accepted--;
		this.tickets.remove(job.digest(), job.id());
		this.replacements.values().removeIf(job.id()::equals);
		this.space.forget(job.digest(), job.id());
	}

	/**
	 * Forget everything but who has which key.
	 */
	void clear() {
		this.jobs.clear();
		this.lines.clear();
		this.tickets.clear();
		this.replacements.clear();
		this.ends.clear();
		this.requests.clear();
	}

	/**
	 * What is remembered of a request for jobs.
	 *
	 * @param id its id
	 * @param instance the process that asked
	 * @param time when it asked
	 */
	record LastRequest(String id, String instance, Instant time) {

	}

	/**
	 * What is remembered of a queue.
	 */
	static final class Line {

		final String name;

		boolean paused;

		/**
		 * Whether it held nothing when it was removed, and has held nothing since.
		 */
		boolean unlisted;

		long accepted;

		long movedIn;

		long movedOut;

		long lastSequence;

		Line(String name) {
			this.name = name;
		}

	}

}
