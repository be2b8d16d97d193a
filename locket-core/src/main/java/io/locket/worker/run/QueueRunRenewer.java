package io.locket.worker.run;

import java.util.List;

import io.locket.lease.heartbeat.BatchRefusedException;
import io.locket.lease.heartbeat.RunLease;
import io.locket.lease.heartbeat.RunRenewer;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.RunsRefusedException;

import org.springframework.util.Assert;

/**
 * {@link RunRenewer} that renews the leases of runs with their queue, and reports their
 * progress to it.
 */
public final class QueueRunRenewer implements RunRenewer {

	private final JobQueue queue;

	/**
	 * Creates a renewer.
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
	public List<Result> renew(List<RunLease> runs) {
		return renewAll(runs.stream().map(QueueRunRenewer::token).toList()).stream()
			.map((renewal) -> new Result(renewal.running(), renewal.keyLoss(), renewal.cancelled()))
			.toList();
	}

	private List<RunRenewal> renewAll(List<RunToken> runs) {
		try {
			return this.queue.renew(runs);
		}
		catch (RunsRefusedException ex) {
			throw new BatchRefusedException(ex);
		}
	}

}
