package io.locket.queue.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.queue.EndResult;
import org.jspecify.annotations.Nullable;

/**
 * What the {@link InMemoryJobQueue} remembers: everything else is looked for among all
 * jobs.
 */
final class MemoryStore {

	long now = 1_800_000_000_000L;

	long fence;

	final Map<String, MemoryJob> jobs = new LinkedHashMap<>();

	final Map<String, Line> lines = new TreeMap<>();

	/**
	 * Ids of jobs by the digest for which they hold or have held a ticket.
	 */
	final Map<String, String> tickets = new HashMap<>();

	final Map<String, Claim> claims = new HashMap<>();

	final Map<String, Lock> locks = new HashMap<>();

	/**
	 * Ids of jobs by the id of the newcomer whose arguments they took.
	 */
	final Map<String, String> replacements = new HashMap<>();

	/**
	 * Answers by the token of the run that ended.
	 */
	final Map<String, EndResult> ends = new HashMap<>();

	/**
	 * Ids of the last requests by the lane that asked.
	 */
	final Map<String, String> requests = new HashMap<>();

	Line line(String queue) {
		return this.lines.computeIfAbsent(queue, Line::new);
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

	@Nullable Claim claim(String digest) {
		Claim claim = this.claims.get(digest);
		return (claim != null && claim.expiresAt() > this.now) ? claim : null;
	}

	@Nullable Lock lock(String digest) {
		Lock lock = this.locks.get(digest);
		return (lock != null && lock.expiresAt() > this.now) ? lock : null;
	}

	boolean isLockedBy(String digest, String token) {
		Lock lock = lock(digest);
		return lock != null && lock.owner().equals(token);
	}

	/**
	 * A lock of a key.
	 *
	 * @param owner the token of the owner
	 * @param job the id of the job whose run took it, or {@code null}
	 * @param expiresAt when it expires
	 * @param holder who took it
	 */
	record Lock(String owner, @Nullable String job, long expiresAt, LeaseHolder holder) {

		Lock until(long time) {
			return new Lock(this.owner, this.job, time, this.holder);
		}

		Lock restUntil(long time) {
			return new Lock(this.owner + ":rest", this.job, time, this.holder);
		}

	}

	/**
	 * A claim of a key for a period.
	 *
	 * @param job the id of the job that claimed it, or {@code null} for a direct call
	 * @param holder the direct call that claimed it, or {@code null} for a job
	 * @param expiresAt when it expires
	 */
	record Claim(@Nullable String job, @Nullable LeaseHolder holder, long expiresAt) {

	}

	/**
	 * What is remembered of a queue.
	 */
	static final class Line {

		final String name;

		boolean paused;

		long accepted;

		long lastSequence;

		Line(String name) {
			this.name = name;
		}

	}

}
