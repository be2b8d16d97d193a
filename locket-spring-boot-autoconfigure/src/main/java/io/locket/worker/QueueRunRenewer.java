package io.locket.worker;

import java.util.List;

import io.locket.lease.RunLease;
import io.locket.lease.RunRenewer;
import io.locket.queue.JobQueue;
import io.locket.queue.RunProgress;
import io.locket.queue.RunToken;

import org.springframework.util.Assert;

/**
 * Renews the leases of runs at the queue that handed them out, and tells it how far they
 * are.
 */
public final class QueueRunRenewer implements RunRenewer {

	private final JobQueue queue;

	/**
	 * Create a renewer.
	 * @param queue the queue
	 */
	public QueueRunRenewer(JobQueue queue) {
		Assert.notNull(queue, "'queue' must not be null");
		this.queue = queue;
	}

	@Override
	public void report(List<Report> runs) {
		this.queue.progress(runs.stream().map(QueueRunRenewer::progress).toList());
	}

	static RunProgress progress(Report report) {
		return new RunProgress(token(report.run()), report.done(), report.total(), report.message());
	}

	private static RunToken token(RunLease run) {
		return new RunToken(run.run(), run.token());
	}

	@Override
	public List<Answer> renew(List<RunLease> runs) {
		return this.queue.renew(runs.stream().map(QueueRunRenewer::token).toList())
			.stream()
			.map((renewal) -> new Answer(renewal.running(), renewal.keyLoss(), renewal.cancelled()))
			.toList();
	}

}
