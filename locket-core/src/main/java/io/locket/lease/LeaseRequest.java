package io.locket.lease;

import java.time.Duration;
import java.util.Objects;

import io.locket.JobKey;
import io.locket.text.NameRule;
import org.jspecify.annotations.Nullable;

/**
 * Request for a lease from a {@link LeaseService}. Immutable: each method returns a
 * changed copy.
 */
public final class LeaseRequest {

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(36500);

	private final JobKey key;

	private final @Nullable Duration duration;

	private final Duration wait;

	private final boolean forRelease;

	private final Duration holdAtLeast;

	private LeaseRequest(JobKey key, @Nullable Duration duration, Duration wait, boolean forRelease,
			Duration holdAtLeast) {
		this.key = key;
		this.duration = duration;
		this.wait = wait;
		this.forRelease = forRelease;
		this.holdAtLeast = holdAtLeast;
	}

	/**
	 * Creates a request for a lease of a key, without a wait and with the configured
	 * duration.
	 * @param key the key
	 * @return the request
	 * @throws IllegalArgumentException if the digest of the key has other characters than
	 * letters, digits, '_', '.' and '-', or none or more than 255
	 */
	public static LeaseRequest of(JobKey key) {
		Objects.requireNonNull(key, "'key' must not be null");
		NameRule.DIGEST.require("The digest of a key", key.digest());
		return new LeaseRequest(key, null, Duration.ZERO, false, Duration.ZERO);
	}

	/**
	 * Sets the duration of the lease without a heartbeat.
	 * @param duration the duration, at least three command timeouts
	 * @return the changed request
	 */
	public LeaseRequest lasting(Duration duration) {
		requireBounded(duration, "The duration of a lease");
		return new LeaseRequest(this.key, duration, this.wait, this.forRelease, this.holdAtLeast);
	}

	/**
	 * Sets the maximum wait for a key that is held.
	 * @param wait the wait, zero for none
	 * @return the changed request
	 */
	public LeaseRequest waiting(Duration wait) {
		return waiting(wait, false);
	}

	/**
	 * Sets the maximum wait for a key that is held, for a wait that costs next to
	 * nothing. The key is tried again only when it is released and when its lease can
	 * have expired. Keys released by a plain {@code LockRegistry} are therefore noticed
	 * late.
	 * @param wait the wait, zero for none
	 * @return the changed request
	 */
	public LeaseRequest waitingForRelease(Duration wait) {
		return waiting(wait, true);
	}

	private LeaseRequest waiting(Duration wait, boolean forRelease) {
		requireZeroOrBounded(wait, "A wait");
		return new LeaseRequest(this.key, this.duration, wait, forRelease, this.holdAtLeast);
	}

	/**
	 * Sets the minimum time for which the key stays held, even if the lease is released
	 * sooner.
	 * @param holdAtLeast the minimum hold, zero for none
	 * @return the changed request
	 */
	public LeaseRequest holdingAtLeast(Duration holdAtLeast) {
		requireZeroOrBounded(holdAtLeast, "A minimum hold");
		return new LeaseRequest(this.key, this.duration, this.wait, this.forRelease, holdAtLeast);
	}

	/**
	 * Checks that Redis and the arithmetic of deadlines can represent a time.
	 * @param duration the time
	 * @param what the name of the time in the message
	 * @throws IllegalArgumentException if it is shorter than a millisecond or longer than
	 * a hundred years
	 */
	public static void requireBounded(Duration duration, String what) {
		Objects.requireNonNull(duration, () -> what + " must not be null");
		if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(what + " must be between 1 ms and 36500 days, and is " + duration);
		}
	}

	private static void requireZeroOrBounded(Duration duration, String what) {
		Objects.requireNonNull(duration, () -> what + " must not be null");
		if (!duration.isZero()) {
			requireBounded(duration, what);
		}
	}

	/**
	 * Returns the key.
	 * @return the key
	 */
	public JobKey key() {
		return this.key;
	}

	/**
	 * Returns the duration of the lease without a heartbeat.
	 * @return the duration, or {@code null} for the configured one
	 */
	public @Nullable Duration duration() {
		return this.duration;
	}

	/**
	 * Returns the maximum wait.
	 * @return the wait, zero for none
	 */
	public Duration waitTime() {
		return this.wait;
	}

	/**
	 * Returns whether the wait relies on notifications of releases.
	 * @return {@code true} if the key is tried again only when it can be free
	 */
	public boolean waitsForRelease() {
		return this.forRelease;
	}

	/**
	 * Returns the minimum time for which the key stays held.
	 * @return the minimum hold, zero for none
	 */
	public Duration holdAtLeast() {
		return this.holdAtLeast;
	}

	/**
	 * Returns whether an object is a request with the same key, duration, wait and
	 * minimum hold.
	 */
	@Override
	public boolean equals(@Nullable Object obj) {
		return this == obj || (obj instanceof LeaseRequest other && this.key.equals(other.key)
				&& Objects.equals(this.duration, other.duration) && this.wait.equals(other.wait)
				&& this.forRelease == other.forRelease && this.holdAtLeast.equals(other.holdAtLeast));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.key, this.duration, this.wait, this.forRelease, this.holdAtLeast);
	}

	/**
	 * Describes the request without the text of its key, which may contain arguments.
	 */
	@Override
	public String toString() {
		return "lease of job " + this.key.job() + " with key " + this.key.digest()
				+ ((this.duration != null) ? " for " + this.duration : "")
				+ (this.wait.isZero() ? "" : " waiting " + this.wait + (this.forRelease ? " for the release" : ""))
				+ (this.holdAtLeast.isZero() ? "" : " held at least " + this.holdAtLeast);
	}

}
