package io.locket.lease.heartbeat;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * Lease of a queued run: its run lease and, if it has one, its key lease, which share a
 * token and are renewed together. The store takes and ends both with the run, so
 * {@link #close()} only ends the renewals. If only the key lease is lost, this lease is
 * lost, but the run lease is renewed until it is closed. Thread-safe.
 */
public final class RunLease extends LiveLease {

	private final String run;

	private final String token;

	private final boolean keyLeased;

	private final RunReports reports;

	private final AtomicReference<RunRenewer.@Nullable Report> unsent = new AtomicReference<>();

	private volatile boolean cancelled;

	RunLease(RunLeases.Grant grant, Context context, RunReports reports) {
		super(grant.key(), grant.duration(), grant.since(), grant.fence(), grant.sentAt(), context, grant.masked());
		this.run = Objects.requireNonNull(grant.run(), "'run' must not be null");
		this.token = Objects.requireNonNull(grant.token(), "'token' must not be null");
		this.keyLeased = grant.keyLeased();
		this.reports = reports;
	}

	/**
	 * Returns the id of the running job.
	 * @return the id
	 */
	public String run() {
		return this.run;
	}

	/**
	 * Returns the token of the run.
	 * @return the token
	 */
	public String token() {
		return this.token;
	}

	/**
	 * Returns whether the job was cancelled, or its queue removed.
	 * @return {@code true} once a heartbeat has reported it
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Reports the progress of the run to the store, soon and on another thread, with at
	 * most one call a second for all runs of the process. Ignored if the lease is not
	 * held.
	 * @param done the amount done
	 * @param total the total amount, or {@code 0} if unknown
	 * @param message the current activity of the run, or {@code null}
	 */
	public void report(long done, long total, @Nullable String message) {
		if (isHeld()) {
			this.reports.report(new RunRenewer.Report(this, done, total, message));
		}
	}

	/**
	 * Returns the latest progress report, unless the store is known to have it. A report
	 * on its way counts as unsent, because it may arrive too late or never.
	 * @return the report, or {@code null} if none is unsent
	 */
	public RunRenewer.@Nullable Report unsentReport() {
		return this.unsent.get();
	}

	void keep(RunRenewer.Report report) {
		this.unsent.set(report);
	}

	/**
	 * Records that the store has a report.
	 */
	void sent(RunRenewer.Report report) {
		this.unsent.compareAndSet(report, null);
	}

	/**
	 * Applies the store's reply about this run.
	 * @return the result for the run lease
	 */
	LeaseRenewer.Renewal apply(RunRenewer.Result result) {
		if (result.cancelled()) {
			this.cancelled = true;
		}
		LeaseLossCause keyLoss = result.keyLoss();
		if (result.running() && keyLoss != null) {
			markLost(keyLoss);
		}
		return result.running() ? LeaseRenewer.Renewal.RENEWED : LeaseRenewer.Renewal.GONE;
	}

	@Override
	LeaseKind kind() {
		return this.keyLeased ? super.kind() : LeaseKind.RUN;
	}

	@Override
	protected @Nullable LeaseLossCause releaseInStore() {
		return null;
	}

	@Override
	protected void releaseInStoreLater() {
		// The store ends the leases of a run with the run.
	}

}
