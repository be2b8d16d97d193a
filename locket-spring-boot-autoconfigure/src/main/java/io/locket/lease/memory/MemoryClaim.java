package io.locket.lease.memory;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A claim for a period: it ends by itself, and nothing else ends it.
 */
final class MemoryClaim implements Lease {

	private final JobKey key;

	private final KeyLock claim;

	private final LockSpace space;

	MemoryClaim(JobKey key, KeyLock claim, LockSpace space) {
		this.key = key;
		this.claim = claim;
		this.space = space;
	}

	@Override
	public JobKey key() {
		return this.key;
	}

	@Override
	public long fencingToken() {
		return this.claim.holder().fencingToken();
	}

	@Override
	public Instant since() {
		return Instant.ofEpochMilli(this.claim.takenAt());
	}

	@Override
	public Duration remaining() {
		return Duration.ofMillis(Math.max(0, this.claim.expiresAt() - this.space.atomically(this.space::now)));
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
