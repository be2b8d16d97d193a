package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.queue.TestJob;
import org.jspecify.annotations.Nullable;

/**
 * Lease that a process believes to hold, until a test ends it.
 */
public final class TestLease implements Lease {

	private final LeaseProof proof;

	private boolean held = true;

	private boolean reachable = true;

	private boolean renewable;

	private boolean closed;

	private int renewals;

	public TestLease(LeaseProof proof) {
		this.proof = proof;
	}

	public void lose() {
		this.held = false;
	}

	/**
	 * Makes renewals succeed, or find the lease lost.
	 */
	public void renewable(boolean renewable) {
		this.renewable = renewable;
	}

	public void reachable(boolean reachable) {
		this.reachable = reachable;
	}

	public int renewals() {
		return this.renewals;
	}

	public boolean isClosed() {
		return this.closed;
	}

	@Override
	public JobKey key() {
		return TestJob.key("leader");
	}

	@Override
	public long fencingToken() {
		return this.proof.fencingToken();
	}

	@Override
	public Instant since() {
		return Instant.EPOCH;
	}

	@Override
	public Duration remaining() {
		return Duration.ZERO;
	}

	@Override
	public boolean isHeld() {
		return this.held && !this.closed;
	}

	@Override
	public @Nullable LeaseLossCause lossCause() {
		return this.held ? null : LeaseLossCause.GONE;
	}

	@Override
	public void onLost(Runnable action) {
		throw new UnsupportedOperationException("No callbacks are supported");
	}

	@Override
	public boolean renew() {
		this.renewals++;
		if (!this.reachable) {
			throw new LeaseUnavailableException("no reply", null);
		}
		this.held = this.renewable;
		return this.held;
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
