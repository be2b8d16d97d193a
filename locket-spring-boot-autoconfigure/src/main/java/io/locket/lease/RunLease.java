package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a queued run: its run lease and, if it has one, its key lease, which share
 * a token and are renewed together. The store takes and ends both with the run, so that
 * {@link #close()} only ends the renewing. If only the key lease is lost, this lease is
 * lost, and the run lease goes on being renewed until it is closed.
 */
public final class RunLease extends LiveLease {

	private final String run;

	private final String token;

	private final RunReports reports;

	private final AtomicReference<RunRenewer.@Nullable Report> unsent = new AtomicReference<>();

	private volatile boolean cancelled;

	RunLease(String run, String token, JobKey key, Duration duration, Instant since, long fencingToken, long sentAt,
			Context context, RunReports reports) {
		super(key, duration, since, fencingToken, sentAt, context);
		this.run = Objects.requireNonNull(run, "'run' must not be null");
		this.token = Objects.requireNonNull(token, "'token' must not be null");
		this.reports = reports;
	}

	/**
	 * Return the id of the job that runs.
	 * @return the id
	 */
	public String run() {
		return this.run;
	}

	/**
	 * Return the token of the run.
	 * @return the token
	 */
	public String token() {
		return this.token;
	}

	/**
	 * Return whether the job was cancelled, or its queue removed.
	 * @return {@code true} once a heartbeat has brought the news
	 */
	public boolean isCancelled() {
		return this.cancelled;
	}

	/**
	 * Tell the store how far the run is, soon and on another thread, and by one call a
	 * second at the most for all runs of the process. A lease that is not held tells
	 * nothing.
	 * @param done how much is done
	 * @param total how much there is to do, or {@code 0} if that is not known
	 * @param message what the run does, or {@code null}
	 */
	public void report(long done, long total, @Nullable String message) {
		if (isHeld()) {
			this.reports.report(new RunRenewer.Report(this, done, total, message));
		}
	}

	/**
	 * Return how far the run was when it last told, unless the store is known to have it.
	 * What is on its way counts as unsent: it may come too late, or never.
	 * @return the report, or {@code null} if nothing is left to tell
	 */
	public RunRenewer.@Nullable Report unsentReport() {
		return this.unsent.get();
	}

	void keep(RunRenewer.Report report) {
		this.unsent.set(report);
	}

	/**
	 * The store has a report.
	 */
	void sent(RunRenewer.Report report) {
		this.unsent.compareAndSet(report, null);
	}

	/**
	 * Take notice of what the store said of this run.
	 * @return the same, of the run lease
	 */
	LeaseRenewer.Renewal answered(RunRenewer.Answer answer) {
		if (answer.cancelled()) {
			this.cancelled = true;
		}
		LeaseLossCause keyLoss = answer.keyLoss();
		if (answer.running() && keyLoss != null) {
			fail(keyLoss);
		}
		return answer.running() ? LeaseRenewer.Renewal.RENEWED : LeaseRenewer.Renewal.GONE;
	}

	@Override
	@Nullable LeaseLossCause giveBack() {
		return null;
	}

	@Override
	void giveBackLater() {
		// The store ends the leases of a run with the run.
	}

}
