package io.locket.worker.run;

import java.util.Objects;

import io.locket.LockStrategy;
import io.locket.lease.heartbeat.RunLease;
import io.locket.lease.heartbeat.RunRenewer;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * Run of a job that this process has taken and has to end.
 *
 * @param job the job
 * @param lease its lease, which is kept alive, or {@code null} if the reservation arrived
 * after its local deadline, so the body must not start
 */
public record HeldRun(ReservedJob job, @Nullable RunLease lease) {

	/**
	 * Returns whether the body may start.
	 */
	public boolean mayStart() {
		return this.lease != null && this.lease.isHeld() && !this.lease.isCancelled();
	}

	/**
	 * Returns the lease for the body.
	 * @return the lease
	 */
	public RunLease bodyLease() {
		return Objects.requireNonNull(this.lease, "'lease' must not be null");
	}

	/**
	 * Returns the lease if calls of the job's key are part of this run: it holds the key
	 * lease, or its job has the claim of the period.
	 * @return the lease, or {@code null}
	 */
	public @Nullable RunLease keyLease() {
		return (this.job.keyLeased() || this.job.record().lock() == LockStrategy.UNTIL_EXPIRED) ? this.lease : null;
	}

	/**
	 * Ends the renewal of the lease, so that the job returns when it expires.
	 */
	public void abandon() {
		if (this.lease != null) {
			this.lease.close();
		}
	}

	/**
	 * Returns the end of the run with its last progress, unless the queue is known to
	 * have stored that.
	 */
	public EndedRun ended(RunEnd end) {
		RunRenewer.Report last = (this.lease != null) ? this.lease.unsentReport() : null;
		return new EndedRun(this, (last != null) ? end.withProgress(QueueRunRenewer.progress(last)) : end);
	}

	/**
	 * Ended run that is not yet settled with the queue.
	 *
	 * @param run the run
	 * @param end the end
	 */
	public record EndedRun(HeldRun run, RunEnd end) {

		/**
		 * Returns whether, as far as this process can know, the job has been handed out
		 * again.
		 */
		public boolean isHopeless() {
			RunLease lease = this.run.lease();
			return lease == null || !lease.isHeld();
		}

	}

}
