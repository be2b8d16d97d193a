package io.locket.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A job to be enqueued, with everything resolved that its run will need: nothing of it is
 * looked up again later. Immutable.
 *
 * @param id the id, made by the caller; a repetition with the same id is answered as the
 * first one was
 * @param job the name of the job
 * @param queue the queue
 * @param arguments the arguments as a JSON array
 * @param key the key, or {@code null} exactly if the strategy is {@code NONE}
 * @param lock the lock strategy, never {@code DEFAULT}
 * @param onDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param onConflict the conflict strategy, never {@code DEFAULT}; {@code WAIT} parks
 * @param start when it is due
 * @param leaseFor how long its leases last without a heartbeat
 * @param uniqueFor the period of {@code UNTIL_EXPIRED}, elsewhere an optional cap on the
 * ticket; both count from the due time
 * @param holdAtLeast how long the key stays taken at least, from the start of a run
 * @param rescheduleAfter the delay of {@code RESCHEDULE}
 * @param maxDelay how far from the first enqueue {@code REPLACE} may move the due time,
 * or {@code null} for as far as it likes
 * @param retries how many failed attempts are followed by another one
 * @param trace the trace context of the producer, or {@code null}
 */
public record NewJob(String id, String job, String queue, String arguments, @Nullable JobKey key, LockStrategy lock,
		DuplicateStrategy onDuplicate, ConflictStrategy onConflict, Start start, Duration leaseFor,
		@Nullable Duration uniqueFor, Duration holdAtLeast, Duration rescheduleAfter, @Nullable Duration maxDelay,
		int retries, @Nullable String trace) {

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	public NewJob {
		requireId(id);
		QueueNames.require(queue);
		Assert.isTrue((key == null) == (lock == LockStrategy.NONE), "A job has a key unless its strategy is NONE");
		Assert.isTrue(lock != LockStrategy.UNTIL_EXPIRED || uniqueFor != null, "UNTIL_EXPIRED needs 'uniqueFor'");
	}

	static void requireId(String id) {
		Assert.isTrue(ID.matcher(id).matches(),
				() -> "The id of a job has 1 to 64 letters, digits, '_', '.' and '-', and is '" + id + "'");
	}

	/**
	 * Names the job without its arguments, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "job " + this.id + " (" + this.job + ", for queue " + this.queue + ")";
	}

	/**
	 * When a job is due, by the clock of Redis.
	 *
	 * @param delay the delay from now, or {@code null}
	 * @param at the time, or {@code null}
	 */
	public record Start(@Nullable Duration delay, @Nullable Instant at) {

		/**
		 * Due at once.
		 */
		public static final Start NOW = new Start(null, null);

		/**
		 * Due after a delay.
		 * @param delay the delay
		 * @return the start
		 */
		public static Start in(Duration delay) {
			return new Start(delay, null);
		}

		/**
		 * Due at a time.
		 * @param at the time; one that has passed is due at once
		 * @return the start
		 */
		public static Start at(Instant at) {
			return new Start(null, at);
		}

	}

}
