package io.locket.queue.spi;

import java.time.Duration;
import java.time.Instant;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.queue.QueueNames;
import io.locket.text.NameRule;
import io.locket.text.Utf8Text;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Job to be enqueued, with all settings of its run resolved. Nothing is resolved again
 * later. Immutable. Instances are created by a {@link #builder builder}, so that later
 * versions can add settings.
 *
 * @param id the id, made by the caller. A repetition with the same id, name and arguments
 * returns the first result; any other job under that id is a duplicate
 * @param job the name of the job
 * @param queue the queue
 * @param arguments the arguments as a JSON array
 * @param key the key, or {@code null} exactly if the strategy is {@code NONE}
 * @param lock the lock strategy, never {@code DEFAULT}
 * @param onDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param onConflict the conflict strategy, never {@code DEFAULT}; {@code WAIT} parks
 * @param start the due time
 * @param leaseFor the duration of its leases without a heartbeat
 * @param uniqueFor the period of {@code UNTIL_EXPIRED}, elsewhere an optional cap on the
 * ticket; both count from the due time
 * @param holdAtLeast the minimum time that the key stays held, from the start of a run
 * @param rescheduleAfter the delay of {@code RESCHEDULE}
 * @param maxDelay the maximum delay, from the first enqueue, to which {@code REPLACE} may
 * move the due time, or {@code null} for no limit
 * @param retries the number of failed attempts that are followed by another one
 * @param trace the trace context of the producer, or {@code null}
 */
public record NewJob(String id, String job, String queue, String arguments, @Nullable JobKey key, LockStrategy lock,
		DuplicateStrategy onDuplicate, ConflictStrategy onConflict, Start start, Duration leaseFor,
		@Nullable Duration uniqueFor, Duration holdAtLeast, Duration rescheduleAfter, @Nullable Duration maxDelay,
		int retries, @Nullable String trace) {

	public NewJob {
		NameRule.ID.require("The id of a job", id);
		QueueNames.require(queue);
		requireWellFormed("name", job);
		requireWellFormed("JSON of the arguments", arguments);
		requireWellFormed("text of the key", (key != null) ? key.text() : "");
		if (key != null) {
			NameRule.DIGEST.require("The digest of a key", key.digest());
		}
		requireWellFormed("trace", (trace != null) ? trace : "");
		Assert.isTrue(lock != LockStrategy.DEFAULT && onDuplicate != DuplicateStrategy.DEFAULT
				&& onConflict != ConflictStrategy.DEFAULT, "A job has resolved strategies, not DEFAULT");
		Assert.isTrue((key == null) == (lock == LockStrategy.NONE), "A job has a key unless its strategy is NONE");
		Assert.isTrue(lock != LockStrategy.UNTIL_EXPIRED || uniqueFor != null, "UNTIL_EXPIRED needs 'uniqueFor'");
	}

	/**
	 * Creates a builder of a job that is due now, without arguments and lock.
	 * @param id the id
	 * @param job the name of the job
	 * @param queue the queue
	 * @return the builder
	 */
	public static Builder builder(String id, String job, String queue) {
		return new Builder(id, job, queue);
	}

	/**
	 * Creates a builder with the settings of this job.
	 * @return the builder
	 */
	public Builder copy() {
		return new Builder(this.id, this.job, this.queue).arguments(this.arguments)
			.unique(this.lock, this.key, this.uniqueFor)
			.onDuplicate(this.onDuplicate)
			.onConflict(this.onConflict)
			.start(this.start)
			.leaseFor(this.leaseFor)
			.holdAtLeast(this.holdAtLeast)
			.rescheduleAfter(this.rescheduleAfter)
			.maxDelay(this.maxDelay)
			.retries(this.retries)
			.trace(this.trace);
	}

	private static void requireWellFormed(String what, String text) {
		Assert.isTrue(Utf8Text.isWellFormed(text),
				() -> "The " + what + " of a job must not have an unpaired surrogate, which cannot be stored as UTF-8");
	}

	/**
	 * Describes the job without its arguments, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "job " + this.id + " (" + this.job + ", for queue " + this.queue + ")";
	}

	/**
	 * Due time of a job, by the clock of Redis.
	 *
	 * @param delay the delay from now, or {@code null}
	 * @param at the time, or {@code null}
	 */
	public record Start(@Nullable Duration delay, @Nullable Instant at) {

		/**
		 * Start at once.
		 */
		public static final Start NOW = new Start(null, null);

		/**
		 * Returns a start after a delay.
		 * @param delay the delay
		 * @return the start
		 */
		public static Start in(Duration delay) {
			return new Start(delay, null);
		}

		/**
		 * Returns a start at a time.
		 * @param at the time; a time in the past is due at once
		 * @return the start
		 */
		public static Start at(Instant at) {
			return new Start(null, at);
		}

	}

	/**
	 * Builder of a {@link NewJob}. Not thread-safe.
	 */
	public static final class Builder {

		private static final Duration LEASE = Duration.ofSeconds(35);

		private static final Duration RESCHEDULE = Duration.ofSeconds(5);

		private String id;

		private String job;

		private String queue;

		private String arguments = "[]";

		private @Nullable JobKey key;

		private LockStrategy lock = LockStrategy.NONE;

		private @Nullable Duration uniqueFor;

		private DuplicateStrategy onDuplicate = DuplicateStrategy.REJECT;

		private ConflictStrategy onConflict = ConflictStrategy.PARK;

		private Start start = Start.NOW;

		private Duration leaseFor = LEASE;

		private Duration holdAtLeast = Duration.ZERO;

		private Duration rescheduleAfter = RESCHEDULE;

		private @Nullable Duration maxDelay;

		private int retries;

		private @Nullable String trace;

		private Builder(String id, String job, String queue) {
			this.id = id;
			this.job = job;
			this.queue = queue;
		}

		/**
		 * Sets the id.
		 * @param id the id, made by the caller
		 * @return this builder
		 */
		public Builder id(String id) {
			this.id = id;
			return this;
		}

		/**
		 * Sets the name of the job.
		 * @param job the name of the job
		 * @return this builder
		 */
		public Builder job(String job) {
			this.job = job;
			return this;
		}

		/**
		 * Sets the queue.
		 * @param queue the queue
		 * @return this builder
		 */
		public Builder queue(String queue) {
			this.queue = queue;
			return this;
		}

		/**
		 * Sets the arguments.
		 * @param arguments the arguments as a JSON array
		 * @return this builder
		 */
		public Builder arguments(String arguments) {
			this.arguments = arguments;
			return this;
		}

		/**
		 * Sets the phase in which the job is unique, and its key.
		 * @param lock the lock strategy, never {@code DEFAULT}
		 * @param key the key, or {@code null} exactly if the strategy is {@code NONE}
		 * @param uniqueFor the period of {@code UNTIL_EXPIRED}, elsewhere an optional cap
		 * on the ticket
		 * @return this builder
		 */
		public Builder unique(LockStrategy lock, @Nullable JobKey key, @Nullable Duration uniqueFor) {
			this.lock = lock;
			this.key = key;
			this.uniqueFor = uniqueFor;
			return this;
		}

		/**
		 * Sets the duplicate strategy.
		 * @param onDuplicate the strategy, never {@code DEFAULT}; by default
		 * {@code REJECT}
		 * @return this builder
		 */
		public Builder onDuplicate(DuplicateStrategy onDuplicate) {
			this.onDuplicate = onDuplicate;
			return this;
		}

		/**
		 * Sets the conflict strategy.
		 * @param onConflict the strategy, never {@code DEFAULT}; by default {@code PARK}
		 * @return this builder
		 */
		public Builder onConflict(ConflictStrategy onConflict) {
			this.onConflict = onConflict;
			return this;
		}

		/**
		 * Sets the due time.
		 * @param start the due time, by default now
		 * @return this builder
		 */
		public Builder start(Start start) {
			this.start = start;
			return this;
		}

		/**
		 * Sets the duration of its leases.
		 * @param leaseFor the duration without a heartbeat, by default 35 seconds
		 * @return this builder
		 */
		public Builder leaseFor(Duration leaseFor) {
			this.leaseFor = leaseFor;
			return this;
		}

		/**
		 * Sets the minimum time that the key stays held.
		 * @param holdAtLeast the time from the start of a run, by default zero
		 * @return this builder
		 */
		public Builder holdAtLeast(Duration holdAtLeast) {
			this.holdAtLeast = holdAtLeast;
			return this;
		}

		/**
		 * Sets the delay of {@code RESCHEDULE}.
		 * @param rescheduleAfter the delay, by default 5 seconds
		 * @return this builder
		 */
		public Builder rescheduleAfter(Duration rescheduleAfter) {
			this.rescheduleAfter = rescheduleAfter;
			return this;
		}

		/**
		 * Sets the maximum delay to which {@code REPLACE} may move the due time.
		 * @param maxDelay the delay from the first enqueue, or {@code null} for no limit
		 * @return this builder
		 */
		public Builder maxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
			return this;
		}

		/**
		 * Sets the number of failed attempts that are followed by another one.
		 * @param retries the number, by default 0
		 * @return this builder
		 */
		public Builder retries(int retries) {
			this.retries = retries;
			return this;
		}

		/**
		 * Sets the trace context of the producer.
		 * @param trace the trace context, or {@code null}
		 * @return this builder
		 */
		public Builder trace(@Nullable String trace) {
			this.trace = trace;
			return this;
		}

		/**
		 * Creates the job.
		 * @return the job
		 * @throws IllegalArgumentException if a setting is invalid
		 */
		public NewJob build() {
			return new NewJob(this.id, this.job, this.queue, this.arguments, this.key, this.lock, this.onDuplicate,
					this.onConflict, this.start, this.leaseFor, this.uniqueFor, this.holdAtLeast, this.rescheduleAfter,
					this.maxDelay, this.retries, this.trace);
		}

	}

}
