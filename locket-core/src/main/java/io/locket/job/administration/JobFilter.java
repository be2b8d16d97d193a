package io.locket.job.administration;

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
 * Filter for queued jobs, by state and any number of other criteria, which all have to
 * match. The store filters by state, queue, name and key, and by the due time of jobs
 * that are scheduled or wait for a retry. All other criteria are evaluated here, record
 * by record. Immutable.
 * <p>
 * A criterion has one value. A second value that differs is refused and never replaces
 * the first one, so a caller cannot widen a filter that it was given. Ranges of due times
 * and predicates are combined instead.
 */
public final class JobFilter {

	private final Set<JobState> states;

	private final @Nullable String queue;

	private final @Nullable String job;

	private final @Nullable Class<?> type;

	private final @Nullable String digest;

	private final @Nullable List<@Nullable Object> arguments;

	private final DueRange due;

	private final @Nullable Predicate<JobRecord> predicate;

	private JobFilter(Set<JobState> states, @Nullable String queue, @Nullable String job, @Nullable Class<?> type,
			@Nullable String digest, @Nullable List<@Nullable Object> arguments, DueRange due,
			@Nullable Predicate<JobRecord> predicate) {
		this.states = states;
		this.queue = queue;
		this.job = job;
		this.type = type;
		this.digest = digest;
		this.arguments = arguments;
		this.due = due;
		this.predicate = predicate;
	}

	/**
	 * Selects the jobs in some states.
	 * @param states the states, at least one
	 * @return the filter
	 */
	public static JobFilter inState(JobState... states) {
		Assert.notEmpty(states, "'states' must not be empty");
		return new JobFilter(Collections.unmodifiableSet(EnumSet.copyOf(List.of(states))), null, null, null, null, null,
				DueRange.ANY, null);
	}

	private static JobFilter where(Predicate<JobState> states) {
		return inState(Stream.of(JobState.values()).filter(states).toArray(JobState[]::new));
	}

	/**
	 * Selects the waiting jobs: scheduled, ready, parked, or waiting for a retry.
	 * @return the filter
	 */
	public static JobFilter waiting() {
		return where(JobState::isWaiting);
	}

	/**
	 * Selects the delayed jobs: those that are scheduled, not those that wait for a
	 * retry.
	 * @return the filter
	 */
	public static JobFilter delayed() {
		return inState(JobState.SCHEDULED);
	}

	/**
	 * Selects the running jobs.
	 * @return the filter
	 */
	public static JobFilter running() {
		return inState(JobState.RUNNING);
	}

	/**
	 * Selects the dead letters. A requeued or dismissed job is not a dead letter any more
	 * and is found by its id only.
	 * @return the filter
	 */
	public static JobFilter dead() {
		return inState(JobState.DEAD);
	}

	/**
	 * Selects the ended jobs that are still known, including {@link #dead() dead
	 * letters}.
	 * @return the filter
	 */
	public static JobFilter ended() {
		return where(JobState::isEnded);
	}

	/**
	 * Selects all known jobs.
	 * @return the filter
	 */
	public static JobFilter all() {
		return where((state) -> true);
	}

	/**
	 * Restricts the filter to one queue.
	 * @param queue the name of the queue
	 * @return a new filter
	 * @throws IllegalArgumentException if the name is not a valid queue name, or if the
	 * filter has another queue
	 */
	public JobFilter queue(String queue) {
		requireSame("queue", this.queue, QueueNames.require(queue));
		return new JobFilter(this.states, queue, this.job, this.type, this.digest, this.arguments, this.due,
				this.predicate);
	}

	/**
	 * Restricts the filter to one job name. A queued job keeps the name with which it was
	 * enqueued, even if the job is renamed.
	 * @param job the name of the job, which may be unknown in this application
	 * @return a new filter
	 * @throws IllegalArgumentException if the filter has another name
	 */
	public JobFilter job(String job) {
		Assert.hasText(job, "'job' must not be empty");
		requireSame("job", this.job, job);
		return new JobFilter(this.states, this.queue, job, this.type, this.digest, this.arguments, this.due,
				this.predicate);
	}

	/**
	 * Restricts the filter to the jobs declared by a class or interface, by their names
	 * and aliases.
	 * @param type the class of a bean of this application, or one of its superclasses or
	 * interfaces
	 * @return a new filter
	 * @throws IllegalArgumentException if the filter has another class
	 */
	public JobFilter job(Class<?> type) {
		Objects.requireNonNull(type, "'type' must not be null");
		requireSame("class", this.type, type);
		return new JobFilter(this.states, this.queue, this.job, type, this.digest, this.arguments, this.due,
				this.predicate);
	}

	/**
	 * Returns a copy with the class replaced by the names of its jobs.
	 */
	JobFilter named(Set<String> names) {
		if (names.size() == 1 && this.job == null) {
			return new JobFilter(this.states, this.queue, names.iterator().next(), null, this.digest, this.arguments,
					this.due, this.predicate);
		}
		Predicate<JobRecord> named = (job) -> names.contains(job.job());
		return new JobFilter(this.states, this.queue, this.job, null, this.digest, this.arguments, this.due,
				(this.predicate != null) ? named.and(this.predicate) : named);
	}

	/**
	 * Restricts the filter to one key and to the job of the key.
	 * @param key the key
	 * @return a new filter
	 * @throws IllegalArgumentException if the filter has another key or another job
	 */
	public JobFilter key(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		return job(key.job()).keyDigest(key.digest());
	}

	/**
	 * Restricts the filter to one key.
	 * @param digest the digest of the key
	 * @return a new filter
	 * @throws IllegalArgumentException if the filter has another key
	 */
	public JobFilter keyDigest(String digest) {
		Assert.hasText(digest, "'digest' must not be empty");
		requireSame("key", this.digest, digest);
		return new JobFilter(this.states, this.queue, this.job, this.type, digest, this.arguments, this.due,
				this.predicate);
	}

	/**
	 * Restricts the filter to jobs with exactly these arguments. They are converted to
	 * the parameter types of the job and compared as JSON. The job has to be set by name
	 * and known in this application.
	 * @param arguments all arguments
	 * @return a new filter
	 * @throws IllegalArgumentException if the filter has other arguments, compared by
	 * {@code equals}
	 */
	public JobFilter arguments(@Nullable Object... arguments) {
		Objects.requireNonNull(arguments, "'arguments' must not be null; pass a single null argument as (Object) null");
		Assert.isTrue(this.arguments == null || Arrays.deepEquals(this.arguments.toArray(), arguments),
				"The filter has other arguments already, and a criterion has one value");
		return new JobFilter(this.states, this.queue, this.job, this.type, this.digest,
				Collections.unmodifiableList(Arrays.asList(arguments.clone())), this.due, this.predicate);
	}

	/**
	 * Restricts the filter to jobs that match a predicate, in addition to earlier
	 * predicates.
	 * @param predicate the predicate. It is evaluated for each job and may be slow,
	 * because no lock or connection is held during the evaluation
	 * @return a new filter
	 */
	public JobFilter matching(Predicate<JobRecord> predicate) {
		Objects.requireNonNull(predicate, "'predicate' must not be null");
		return new JobFilter(this.states, this.queue, this.job, this.type, this.digest, this.arguments, this.due,
				(this.predicate != null) ? this.predicate.and(predicate) : predicate);
	}

	/**
	 * Restricts the filter to jobs that are or were due at or after a time. A job that
	 * was due at once counts as due when it was enqueued.
	 * @param from the earliest time, inclusive
	 * @return a new filter
	 */
	public JobFilter dueFrom(Instant from) {
		Objects.requireNonNull(from, "'from' must not be null");
		return due(this.due.from(from));
	}

	/**
	 * Restricts the filter to jobs that are or were due before a time.
	 * @param until the latest time, exclusive
	 * @return a new filter
	 */
	public JobFilter dueUntil(Instant until) {
		Objects.requireNonNull(until, "'until' must not be null");
		return due(this.due.until(until));
	}

	/**
	 * Restricts the filter to jobs that are or were due at a time. The time is truncated
	 * to milliseconds, as it is when a job is enqueued.
	 * @param time the time
	 * @return a new filter
	 */
	public JobFilter dueAt(Instant time) {
		Objects.requireNonNull(time, "'time' must not be null");
		Instant millisecond = time.truncatedTo(ChronoUnit.MILLIS);
		return dueFrom(millisecond)
			.dueUntil(millisecond.isBefore(Instant.MAX.minusMillis(1)) ? millisecond.plusMillis(1) : Instant.MAX);
	}

	private JobFilter due(DueRange range) {
		return new JobFilter(this.states, this.queue, this.job, this.type, this.digest, this.arguments, range,
				this.predicate);
	}

	/**
	 * Restricts the filter to some of its states.
	 */
	JobFilter only(Set<JobState> some) {
		EnumSet<JobState> both = EnumSet.noneOf(JobState.class);
		both.addAll(this.states);
		both.retainAll(some);
		return new JobFilter(both, this.queue, this.job, this.type, this.digest, this.arguments, this.due,
				this.predicate);
	}

	private static void requireSame(String criterion, @Nullable Object present, Object value) {
		Assert.isTrue(present == null || present.equals(value), () -> "The filter is restricted to the " + criterion
				+ " '" + present + "' already, so it cannot select '" + value + "'. Start with another filter");
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

	@Nullable Class<?> type() {
		return this.type;
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
	 * Describes the filter without the arguments, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "jobs in " + this.states + ((this.queue != null) ? " of queue " + this.queue : "")
				+ ((this.job != null) ? " named " + this.job : "")
				+ ((this.type != null) ? " of " + this.type.getName() : "")
				+ ((this.digest != null) ? " with key " + this.digest : "")
				+ ((this.arguments != null) ? " with certain arguments" : "")
				+ ((this.due.from() != null) ? " due from " + this.due.from() : "")
				+ ((this.due.until() != null) ? " due until " + this.due.until() : "")
				+ ((this.predicate != null) ? " that match" : "");
	}

}
