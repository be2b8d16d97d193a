package io.locket;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A call was refused since another one holds its key, or a job was not enqueued since
 * another one of its key is there. Thrown for {@link ConflictStrategy#RAISE}, for
 * {@link ConflictStrategy#WAIT} when the time was up, and for
 * {@link DuplicateStrategy#RAISE}.
 */
public class DuplicateJobException extends RuntimeException {

	private final JobKey key;

	private final @Nullable LeaseHolder holder;

	private final @Nullable Duration remaining;

	private final @Nullable String existingId;

	/**
	 * Create an exception for a refused call.
	 * @param key the key that is taken
	 * @param holder who holds it, or {@code null} if that is not known
	 * @param remaining for how long unless renewed, or {@code null} if that is not known
	 */
	public DuplicateJobException(JobKey key, @Nullable LeaseHolder holder, @Nullable Duration remaining) {
		this("Job " + key + " is held by " + ((holder != null) ? holder : "another caller")
				+ ((remaining != null) ? ", for another " + remaining.toMillis() + " ms unless renewed" : ""), key,
				holder, remaining, null);
	}

	private DuplicateJobException(String message, JobKey key, @Nullable LeaseHolder holder,
			@Nullable Duration remaining, @Nullable String existingId) {
		super(message);
		this.key = key;
		this.holder = holder;
		this.remaining = remaining;
		this.existingId = existingId;
	}

	/**
	 * Create an exception for a job that was not enqueued.
	 * @param key the key that is taken
	 * @param existingId the id of the job that is there, or {@code null} if a direct call
	 * has claimed the period
	 * @param state its state, or {@code null} if that is not known
	 * @return the exception
	 */
	public static DuplicateJobException ofEnqueued(JobKey key, @Nullable String existingId, @Nullable JobState state) {
		String message = (existingId != null)
				? "Job " + key + " is there already, with the id " + existingId
						+ ((state != null) ? " and in the state " + state : "")
				: "Job " + key + " was not enqueued, since a call has claimed its period";
		return new DuplicateJobException(message, key, null, null, existingId);
	}

	/**
	 * Return the key that is taken.
	 * @return the key
	 */
	public JobKey getKey() {
		return this.key;
	}

	/**
	 * Return who holds the key.
	 * @return the holder, or {@code null} if that is not known
	 */
	public @Nullable LeaseHolder getHolder() {
		return this.holder;
	}

	/**
	 * Return the queued job that is there.
	 * @return its id, or {@code null} if the key is held by a call, or that is not known
	 */
	public @Nullable String getExistingId() {
		return this.existingId;
	}

	/**
	 * Return for how long the key stays taken unless its lease is renewed.
	 * @return the remaining time, or {@code null} if that is not known
	 */
	public @Nullable Duration getRemaining() {
		return this.remaining;
	}

}
