package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * A claim for a period: it ends by itself, and nothing else ends it.
 */
final class ClaimLease implements Lease {

	private final JobKey key;

	private final long fencingToken;

	private final Instant since;

	private final long endsAt;

	private final LongSupplier nanoTime;

	ClaimLease(JobKey key, long fencingToken, Instant since, long endsAt, LongSupplier nanoTime) {
		this.key = key;
		this.fencingToken = fencingToken;
		this.since = since;
		this.endsAt = endsAt;
		this.nanoTime = nanoTime;
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
		return Duration.ofNanos(Math.max(0, this.endsAt - this.nanoTime.getAsLong()));
	}

	@Override
	public boolean isHeld() {
		return !remaining().isZero();
	}

	/**
	 * A claim is over when its period is, which is no loss.
	 */
	@Override
	public @Nullable LeaseLossCause lossCause() {
		return null;
	}

	@Override
	public void onLost(Runnable action) {
		// A claim is never lost, so that the action never runs.
	}

	@Override
	public boolean renew() {
		return false;
	}

	@Override
	public void close() {
		// A claim is not given back: it lasts for its period.
	}

}
