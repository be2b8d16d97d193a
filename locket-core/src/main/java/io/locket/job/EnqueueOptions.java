package io.locket.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.QueueNames;
import io.locket.queue.spi.NewJob.Start;
import io.locket.text.NameRule;
import org.jspecify.annotations.Nullable;

/**
 * Due time, queue and id of a job to be enqueued. Immutable: each method returns new
 * options.
 */
public final class EnqueueOptions {

	private static final EnqueueOptions NOW = new EnqueueOptions(Start.NOW, null, null, false);

	private static final Duration LONGEST = Duration.ofDays(36500);

	private static final Instant LATEST = Instant.parse("5138-11-16T09:46:39.999Z");

	private final Start start;

	private final @Nullable String queue;

	private final @Nullable String id;

	private final boolean immediate;

	private EnqueueOptions(Start start, @Nullable String queue, @Nullable String id, boolean immediate) {
		this.immediate = immediate;
		this.start = start;
		this.queue = queue;
		this.id = id;
	}

	/**
	 * Returns options for a job that is due at once.
	 * @return the options
	 */
	public static EnqueueOptions now() {
		return NOW;
	}

	/**
	 * Returns options for a job that is due after a delay, by the clock of Redis. If it
	 * waits for a transaction, the delay begins after the commit.
	 * @param delay the delay; zero means at once
	 * @return the options
	 * @throws IllegalArgumentException if the delay is negative or longer than 36500 days
	 */
	public static EnqueueOptions in(Duration delay) {
		Objects.requireNonNull(delay, "'delay' must not be null");
		if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("A delay must be from 0 to 36500 days, and is " + delay);
		}
		return new EnqueueOptions(Start.in(delay), null, null, false);
	}

	/**
	 * Returns options for a job that is due at a time, by the clock of Redis.
	 * @param time the time; a time in the past means at once
	 * @return the options
	 * @throws IllegalArgumentException if the time is after
	 * {@code 5138-11-16T09:46:39.999Z}, the latest supported time
	 */
	public static EnqueueOptions at(Instant time) {
		Objects.requireNonNull(time, "'time' must not be null");
		if (time.isAfter(LATEST)) {
			throw new IllegalArgumentException("A time must not be after " + LATEST + ", and is " + time);
		}
		return new EnqueueOptions(Start.at(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time), null, null, false);
	}

	/**
	 * Enqueues the job into another queue than its own. Strategies that the job does not
	 * set are those of that queue.
	 * @param queue the name of the queue
	 * @return the options
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 */
	public EnqueueOptions queue(String queue) {
		return new EnqueueOptions(this.start, QueueNames.require(queue), this.id, this.immediate);
	}

	/**
	 * Sets the id of the job. Use the same id to repeat a call safely: the repetition
	 * returns the result of the first call.
	 * @param id 1 to 64 letters, digits, underscores, dots and hyphens, but not
	 * {@code "."} or {@code ".."}
	 * @return the options
	 * @throws IllegalArgumentException if the id is not valid
	 */
	public EnqueueOptions id(String id) {
		Objects.requireNonNull(id, "'id' must not be null");
		NameRule.ID.require("The id of a job", id);
		return new EnqueueOptions(this.start, this.queue, id, this.immediate);
	}

	/**
	 * Enqueues the job at once, even if a transaction is open. It is enqueued whether the
	 * transaction commits or not, and may run before it ends.
	 * @return the options
	 */
	public EnqueueOptions immediate() {
		return new EnqueueOptions(this.start, this.queue, this.id, true);
	}

	boolean isImmediate() {
		return this.immediate;
	}

	boolean isQueueNamed() {
		return this.queue != null;
	}

	Start start() {
		return this.start;
	}

	/**
	 * Returns the queue of a job.
	 * @param job the job
	 * @return the queue of these options, else the queue of the job
	 */
	String queueOf(UniqueJobDefinition job) {
		return (this.queue != null) ? this.queue : job.queue();
	}

	@Nullable String id() {
		return this.id;
	}

	/**
	 * Returns whether an object has the same values.
	 */
	@Override
	public boolean equals(@Nullable Object obj) {
		return this == obj || (obj instanceof EnqueueOptions other && this.start.equals(other.start)
				&& Objects.equals(this.queue, other.queue) && Objects.equals(this.id, other.id)
				&& this.immediate == other.immediate);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.start, this.queue, this.id, this.immediate);
	}

	@Override
	public String toString() {
		String due = (this.start.delay() != null) ? "in " + this.start.delay()
				: (this.start.at() != null) ? "at " + this.start.at() : "now";
		return due + ((this.queue != null) ? " into queue " + this.queue : "")
				+ ((this.id != null) ? " with id " + this.id : "") + (this.immediate ? ", immediate" : "");
	}

}
