package io.locket;

import java.io.Serializable;
import java.util.Objects;

/**
 * Identity of a unique job: its name and the canonical form of the arguments that count.
 * Two keys are equal exactly if their digests are. The readable text is for people: it is
 * cut when it is long, and masked if the job requires it. Immutable.
 */
public final class JobKey implements Serializable {

	private final String job;

	private final String digest;

	private final String text;

	/**
	 * Creates a key from its parts. {@link io.locket.key.JobKeys} creates keys from
	 * values.
	 * @param job the name of the job
	 * @param digest the text that identifies the key: the first half of the SHA-256 of
	 * name and canonical arguments, in the URL-safe Base64 alphabet without padding. A
	 * job with a key of its own may have another one of 1 to 255 letters, digits, '_',
	 * '.' and '-'; a digest of 22 characters is the fastest
	 * @param text the readable or masked form of the arguments
	 */
	public JobKey(String job, String digest, String text) {
		this.job = Objects.requireNonNull(job, "'job' must not be null");
		this.digest = Objects.requireNonNull(digest, "'digest' must not be null");
		this.text = Objects.requireNonNull(text, "'text' must not be null");
	}

	/**
	 * Returns the name of the job.
	 * @return the job name
	 */
	public String job() {
		return this.job;
	}

	/**
	 * Returns the digest that identifies this key in Redis. A plain
	 * {@code RedisLockRegistry} on Locket's registry key locks the same key with
	 * {@code registry.obtain(key.digest())}.
	 * @return 22 letters, digits, '-' and '_', unless the key was made with another
	 * digest
	 */
	public String digest() {
		return this.digest;
	}

	/**
	 * Returns the readable form of the arguments that count: canonical JSON, cut when
	 * long, or a mask.
	 * @return the text
	 */
	public String text() {
		return this.text;
	}

	@Override
	public boolean equals(Object obj) {
		return this == obj || (obj instanceof JobKey other && this.digest.equals(other.digest));
	}

	@Override
	public int hashCode() {
		return this.digest.hashCode();
	}

	@Override
	public String toString() {
		return this.job + this.text;
	}

}
