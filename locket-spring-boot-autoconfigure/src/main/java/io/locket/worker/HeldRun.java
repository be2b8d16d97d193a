package io.locket.worker;

import io.locket.lease.RunLease;
import io.locket.lease.RunRenewer;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import org.jspecify.annotations.Nullable;

/**
 * A job that this process has to run and to end.
 *
 * @param job the job
 * @param lease its lease, which is kept alive, or {@code null} if its answer came after
 * its local deadline: its body must not start
 */
record HeldRun(ReservedJob job, @Nullable RunLease lease) {

	/**
	 * Return whether the body may start.
	 */
	boolean mayStart() {
		return this.lease != null && this.lease.isHeld() && !this.lease.isCancelled();
	}

	/**
	 * Tell how the run ended, and with that how far it was when it last told, unless the
	 * queue is known to have that.
	 */
	EndedRun ended(RunEnd end) {
		RunRenewer.Report last = (this.lease != null) ? this.lease.unsentReport() : null;
		return new EndedRun(this, (last != null) ? end.withProgress(QueueRunRenewer.progress(last)) : end);
	}

	/**
	 * A job whose end the queue has yet to hear of.
	 *
	 * @param run the job
	 * @param end how it ended
	 */
	record EndedRun(HeldRun run, RunEnd end) {

		/**
		 * Return whether the queue has given the job to somebody else by now, as far as
		 * this process can know.
		 */
		boolean isHopeless() {
			RunLease lease = this.run.lease();
			return lease == null || !lease.isHeld();
		}

	}

}
