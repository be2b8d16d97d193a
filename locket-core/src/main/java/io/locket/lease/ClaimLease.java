package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * Claim of a key for a period, in any store. It lasts for the period, unless it is
 * released earlier. Thread-safe.
 */
public final class ClaimLease implements Lease {

	private final JobKey key;

	private final long fencingToken;

	private final Instant since;

	private final Supplier<Duration> remaining;

	private final Runnable release;

	/**
	 * Creates a claim that was granted.
	 * @param key the key
	 * @param fencingToken the fencing token
	 * @param since the time of the grant
	 * @param remaining the supplier of the rest of the period, zero or less after its end
	 * @param release removes the claim from the store, unless the key has another one
	 */
	public ClaimLease(JobKey key, long fencingToken, Instant since, Supplier<Duration> remaining, Runnable release) {
		this.key = Objects.requireNonNull(key, "'key' must not be null");
		this.fencingToken = fencingToken;
		this.since = Objects.requireNonNull(since, "'since' must not be null");
		this.remaining = Objects.requireNonNull(remaining, "'remaining' must not be null");
		this.release = Objects.requireNonNull(release, "'release' must not be null");
	}

	@Override
	public JobKey key() {
		return this.key;
	}

	@Override
	public long fencingToken() {
		return this.fencingToken;
	}

	@Override
	public Instant since() {
		return this.since;
	}

	@Override
	public Duration remaining() {
		Duration left = this.remaining.get();
		return left.isNegative() ? Duration.ZERO : left;
	}

	@Override
	public boolean isHeld() {
		return !remaining().isZero();
	}

	/**
	 * Returns {@code null}, because the end of a claim's period is no loss.
	 */
	@Override
	public @Nullable LeaseLossCause lossCause() {
		return null;
	}

	@Override
	public void onLost(Runnable action) {
		// A claim is never lost, so the action never runs.
	}

	@Override
	public boolean renew() {
		return false;
	}

	/**
	 * Returns normally, because the end of a claim's period is no loss.
	 */
	@Override
	public void ensureHeld() {
		// A claim is neither lost nor released.
	}

	@Override
	public void close() {
		// A claim outlasts its call: it lasts for its period.
	}

	/**
	 * Releases the claim, so that the key can be claimed again before the end of the
	 * period. The caller must not have begun what it claimed the key for. A store may do
	 * this in the background.
	 */
	public void release() {
		this.release.run();
	}

}
