package io.locket;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A call was refused since another one holds its key. Thrown for
 * {@link ConflictStrategy#RAISE}, and for {@link ConflictStrategy#WAIT} when the time was
 * up.
 */
public class DuplicateJobException extends RuntimeException {

	private final JobKey key;

	private final @Nullable LeaseHolder holder;

	private final @Nullable Duration remaining;

	/**
	 * Create an exception for a refused call.
	 * @param key the key that is taken
	 * @param holder who holds it, or {@code null} if that is not known
	 * @param remaining for how long unless renewed, or {@code null} if that is not known
	 */
	public DuplicateJobException(JobKey key, @Nullable LeaseHolder holder, @Nullable Duration remaining) {
		super("Job " + key + " is held by " + ((holder != null) ? holder : "another caller")
				+ ((remaining != null) ? ", for another " + remaining.toMillis() + " ms unless renewed" : ""));
		this.key = key;
		this.holder = holder;
		this.remaining = remaining;
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
	 * Return for how long the key stays taken unless its lease is renewed.
	 * @return the remaining time, or {@code null} if that is not known
	 */
	public @Nullable Duration getRemaining() {
		return this.remaining;
	}

}
