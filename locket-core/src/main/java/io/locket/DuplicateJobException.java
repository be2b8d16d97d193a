package io.locket;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Exception for a call whose key is held by another one, or for a job that was not
 * enqueued because another job has its key. Thrown for {@link ConflictStrategy#RAISE},
 * for {@link ConflictStrategy#WAIT} when the time is up, and for
 * {@link DuplicateStrategy#RAISE}.
 */
public class DuplicateJobException extends RuntimeException {

	private final JobKey key;

	private final @Nullable LeaseHolder holder;

	private final @Nullable Duration remaining;

	private final @Nullable String existingId;

	/**
	 * Creates an exception for a refused call.
	 * @param key the key that is held
	 * @param holder the holder of the key, or {@code null} if unknown
	 * @param remaining the time for which the key stays held unless its lease is renewed,
	 * or {@code null} if unknown
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
	 * Creates an exception for a job that was not enqueued.
	 * @param key the key that is held
	 * @param existingId the id of the existing job, or {@code null} if a direct call has
	 * claimed the period
	 * @param state the state of the existing job, or {@code null} if unknown
	 * @return the exception
	 */
	public static DuplicateJobException ofEnqueued(JobKey key, @Nullable String existingId, @Nullable JobState state) {
		String message = (existingId != null)
				? "Job " + key + " already exists, with the id " + existingId
						+ ((state != null) ? " and in the state " + state : "")
				: "Job " + key + " was not enqueued, because a direct call has claimed its period";
		return new DuplicateJobException(message, key, null, null, existingId);
	}

	/**
	 * Returns the key that is held.
	 * @return the key
	 */
	public JobKey getKey() {
		return this.key;
	}

	/**
	 * Returns the holder of the key.
	 * @return the holder, or {@code null} if unknown
	 */
	public @Nullable LeaseHolder getHolder() {
		return this.holder;
	}

	/**
	 * Returns the id of the existing job.
	 * @return the id, or {@code null} if a direct call holds the key or the id is unknown
	 */
	public @Nullable String getExistingId() {
		return this.existingId;
	}

	/**
	 * Returns the time for which the key stays held unless its lease is renewed.
	 * @return the remaining time, or {@code null} if unknown
	 */
	public @Nullable Duration getRemaining() {
		return this.remaining;
	}

}
