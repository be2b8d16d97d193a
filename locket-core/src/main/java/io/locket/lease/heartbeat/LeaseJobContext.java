package io.locket.lease.heartbeat;

import java.time.Instant;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Context of a body, based on its lease.
 */
public class LeaseJobContext implements JobContext {

	private final Lease lease;

	/**
	 * Creates a context.
	 * @param lease the lease of the body
	 */
	public LeaseJobContext(Lease lease) {
		this.lease = lease;
	}

	@Override
	public final JobKey key() {
		return this.lease.key();
	}

	@Override
	public final long fencingToken() {
		return this.lease.fencingToken();
	}

	@Override
	public final Instant since() {
		return this.lease.since();
	}

	@Override
	public @Nullable LeaseLossCause lossCause() {
		return this.lease.lossCause();
	}

	@Override
	public void ensureLease() {
		// A context may know of a loss that its lease does not have.
		JobContext.super.ensureLease();
		this.lease.ensureHeld();
	}

	@Override
	public void onLeaseLost(Runnable action) {
		this.lease.onLost(action);
	}

}
