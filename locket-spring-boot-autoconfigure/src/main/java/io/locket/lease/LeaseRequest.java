package io.locket.lease;

import java.time.Duration;
import java.util.Objects;

import io.locket.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a {@link LeaseService}. Immutable: each method returns a changed copy.
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
	 * Ask for a lease of a key, without a wait and for the configured duration.
	 * @param key the key
	 * @return the request
	 */
	public static LeaseRequest of(JobKey key) {
		return new LeaseRequest(Objects.requireNonNull(key, "'key' must not be null"), null, Duration.ZERO, false,
				Duration.ZERO);
	}

	/**
	 * Set how long the lease lasts without a heartbeat.
	 * @param duration the duration, at least three command timeouts
	 * @return the changed request
	 */
	public LeaseRequest lasting(Duration duration) {
		requireBounded(duration, "The duration of a lease");
		return new LeaseRequest(this.key, duration, this.wait, this.forRelease, this.holdAtLeast);
	}

	/**
	 * Set for how long to wait for a key that is taken.
	 * @param wait the wait, zero for none
	 * @return the changed request
	 */
	public LeaseRequest waiting(Duration wait) {
		return waiting(wait, false);
	}

	/**
	 * Set for how long to wait for a key that is taken, which costs next to nothing: it
	 * is asked for again only when it is released, and when its lease can have expired. A
	 * key that a plain {@code LockRegistry} releases is got late so.
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
	 * Set for how long the key stays taken at least, also if the lease is released
	 * sooner.
	 * @param holdAtLeast the minimum hold, zero for none
	 * @return the changed request
	 */
	public LeaseRequest holdingAtLeast(Duration holdAtLeast) {
		requireZeroOrBounded(holdAtLeast, "A minimum hold");
		return new LeaseRequest(this.key, this.duration, this.wait, this.forRelease, holdAtLeast);
	}

	/**
	 * Require a time that Redis and the arithmetic of deadlines can bear.
	 * @param duration the time
	 * @param what says in the message what it is
	 * @throws IllegalArgumentException if it is shorter than a millisecond or longer than
	 * a hundred years
	 */
	public static void requireBounded(Duration duration, String what) {
		if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException(what + " must be between 1 ms and 36500 days, and is " + duration);
		}
	}

	private static void requireZeroOrBounded(Duration duration, String what) {
		if (!duration.isZero()) {
			requireBounded(duration, what);
		}
	}

	/**
	 * Return the key.
	 * @return the key
	 */
	public JobKey key() {
		return this.key;
	}

	/**
	 * Return how long the lease lasts without a heartbeat.
	 * @return the duration, or {@code null} for the configured one
	 */
	public @Nullable Duration duration() {
		return this.duration;
	}

	/**
	 * Return for how long to wait.
	 * @return the wait, zero for none
	 */
	public Duration waitTime() {
		return this.wait;
	}

	/**
	 * Return whether a wait trusts in being told of a release.
	 * @return {@code true} if the key is asked for again only when it can be free
	 */
	public boolean waitsForRelease() {
		return this.forRelease;
	}

	/**
	 * Return for how long the key stays taken at least.
	 * @return the minimum hold, zero for none
	 */
	public Duration holdAtLeast() {
		return this.holdAtLeast;
	}

}
