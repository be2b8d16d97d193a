package io.locket.aop;

import java.time.Instant;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The view that a body has of its lease.
 */
final class LeaseJobContext implements JobContext {

	private final Lease lease;

	LeaseJobContext(Lease lease) {
		this.lease = lease;
	}

	@Override
	public JobKey key() {
		return this.lease.key();
	}

	@Override
	public long fencingToken() {
		return this.lease.fencingToken();
	}

	@Override
	public Instant since() {
		return this.lease.since();
	}

	@Override
	public @Nullable LeaseLossCause lossCause() {
		return this.lease.lossCause();
	}

	@Override
	public void onLeaseLost(Runnable action) {
		this.lease.onLost(action);
	}

}
