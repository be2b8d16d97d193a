package io.locket.job;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Which queued jobs are meant: those in some states that have all of what is asked for.
 * The store looks for states, queue, name, key, and the due times of jobs that are
 * scheduled or wait for a retry; everything else is looked at here, record by record.
 * Immutable.
 */
public final class JobFilter {

	private final Set<JobState> states;

	private final @Nullable String queue;

	private final @Nullable String job;

	private final @Nullable String digest;

	private final @Nullable List<@Nullable Object> arguments;

	private final DueRange due;

	private final @Nullable Predicate<JobRecord> predicate;

	private JobFilter(Set<JobState> states, @Nullable String queue, @Nullable String job, @Nullable String digest,
			@Nullable List<@Nullable Object> arguments, DueRange due, @Nullable Predicate<JobRecord> predicate) {
		this.states = states;
		this.queue = queue;
		this.job = job;
		this.digest = digest;
		this.arguments = arguments;
		this.due = due;
		this.predicate = predicate;
	}

	/**
	 * Mean the jobs in some states.
	 * @param states the states, at least one
	 * @return the filter
	 */
	public static JobFilter inState(JobState... states) {
		Assert.notEmpty(states, "'states' must not be empty");
		return new JobFilter(Collections.unmodifiableSet(EnumSet.copyOf(List.of(states))), null, null, null, null,
				DueRange.ANY, null);
	}

	private static JobFilter where(Predicate<JobState> states) {
		return inState(Stream.of(JobState.values()).filter(states).toArray(JobState[]::new));
	}

	/**
	 * Mean the jobs that have yet to start: scheduled, ready, parked, or waiting for a
	 * retry.
	 * @return the filter
	 */
	public static JobFilter waiting() {
		return where(JobState::isWaiting);
	}

	/**
	 * Mean the delayed jobs: those that are scheduled, and not those that wait for a
	 * retry.
	 * @return the filter
	 */
	public static JobFilter delayed() {
		return inState(JobState.SCHEDULED);
	}

	/**
	 * Mean the jobs that a worker has.
	 * @return the filter
	 */
	public static JobFilter running() {
		return inState(JobState.RUNNING);
	}

	/**
	 * Mean the dead letters. One that was put back or dismissed is none any more, and is
	 * found by its id only.
	 * @return the filter
	 */
	public static JobFilter dead() {
		return inState(JobState.DEAD);
	}

	/**
	 * Mean the jobs that are over and still known, {@link #dead() dead letters} among
	 * them.
	 * @return the filter
	 */
	public static JobFilter ended() {
		return where(JobState::isEnded);
	}

	/**
	 * Mean all jobs that are known.
	 * @return the filter
	 */
	public static JobFilter all() {
		return where((state) -> true);
	}

	/**
	 * Mean those of one queue only.
	 * @param queue the name of the queue
	 * @return a filter of its own
	 * @throws IllegalArgumentException if no queue may have that name
	 */
	public JobFilter queue(String queue) {
		return new JobFilter(this.states, QueueNames.require(queue), this.job, this.digest, this.arguments, this.due,
				this.predicate);
	}

	/**
	 * Mean those of one name only. A job that was renamed keeps, in the queue, the name
	 * with which it was enqueued.
	 * @param job the name of the job, which need not be known here
	 * @return a filter of its own
	 */
	public JobFilter job(String job) {
		Assert.hasText(job, "'job' must not be empty");
		return new JobFilter(this.states, this.queue, job, this.digest, this.arguments, this.due, this.predicate);
	}

	/**
	 * Mean those of one key only.
	 * @param key the key
	 * @return a filter of its own
	 */
	public JobFilter key(JobKey key) {
		return job(key.job()).keyDigest(key.digest());
	}

	/**
	 * Mean those of one key only.
	 * @param digest the digest of the key
	 * @return a filter of its own
	 */
	public JobFilter keyDigest(String digest) {
		Assert.hasText(digest, "'digest' must not be empty");
		return new JobFilter(this.states, this.queue, this.job, digest, this.arguments, this.due, this.predicate);
	}

	/**
	 * Mean those with exactly these arguments only. They are converted to the parameter
	 * types of the job, which has to be named and known here, and compared as JSON.
	 * @param arguments all arguments
	 * @return a filter of its own
	 */
	public JobFilter arguments(@Nullable Object... arguments) {
		return new JobFilter(this.states, this.queue, this.job, this.digest,
				Collections.unmodifiableList(Arrays.asList(arguments.clone())), this.due, this.predicate);
	}

	/**
	 * Mean those only of which a predicate says so, and earlier ones, too.
	 * @param predicate is asked for each job, and may be slow: nothing is held meanwhile
	 * @return a filter of its own
	 */
	public JobFilter matching(Predicate<JobRecord> predicate) {
		Objects.requireNonNull(predicate, "'predicate' must not be null");
		return new JobFilter(this.states, this.queue, this.job, this.digest, this.arguments, this.due,
				(this.predicate != null) ? this.predicate.and(predicate) : predicate);
	}

	/**
	 * Mean those only that are or were due then or later. A job that was due at once
	 * counts from when it was enqueued.
	 * @param from the earliest time
	 * @return a filter of its own
	 */
	public JobFilter dueFrom(Instant from) {
		Objects.requireNonNull(from, "'from' must not be null");
		return due(this.due.from(from));
	}

	/**
	 * Mean those only that are or were due before a time.
	 * @param until the time
	 * @return a filter of its own
	 */
	public JobFilter dueUntil(Instant until) {
		Objects.requireNonNull(until, "'until' must not be null");
		return due(this.due.until(until));
	}

	/**
	 * Mean those only that are or were due at a time, to the millisecond: what is finer
	 * is left out, as when they are enqueued.
	 * @param time the time
	 * @return a filter of its own
	 */
	public JobFilter dueAt(Instant time) {
		Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
		return dueFrom(millisecond)
			.dueUntil(millisecond.isBefore(Instant.MAX.minusMillis(1)) ? millisecond.plusMillis(1) : Instant.MAX);
	}

	private JobFilter due(DueRange range) {
		return new JobFilter(this.states, this.queue, this.job, this.digest, this.arguments, range, this.predicate);
	}

	/**
	 * Mean those only that are in one of some states.
	 */
	JobFilter only(Set<JobState> some) {
		EnumSet<JobState> both = EnumSet.noneOf(JobState.class);
		both.addAll(this.states);
		both.retainAll(some);
		return new JobFilter(both, this.queue, this.job, this.digest, this.arguments, this.due, this.predicate);
	}

	Set<JobState> states() {
		return this.states;
	}

	@Nullable String queue() {
		return this.queue;
	}

	@Nullable String job() {
		return this.job;
	}

	@Nullable String digest() {
		return this.digest;
	}

	@Nullable List<@Nullable Object> arguments() {
		return this.arguments;
	}

	DueRange due() {
		return this.due;
	}

	@Nullable Predicate<JobRecord> predicate() {
		return this.predicate;
	}

	/**
	 * Names what is meant without the arguments, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "jobs in " + this.states + ((this.queue != null) ? " of queue " + this.queue : "")
				+ ((this.job != null) ? " named " + this.job : "")
				+ ((this.digest != null) ? " with key " + this.digest : "")
				+ ((this.arguments != null) ? " with certain arguments" : "")
				+ ((this.due.from() != null) ? " due from " + this.due.from() : "")
				+ ((this.due.until() != null) ? " due until " + this.due.until() : "")
				+ ((this.predicate != null) ? " that match" : "");
	}

}
