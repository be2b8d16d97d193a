package io.locket.worker;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.key.JobKeys;
import io.locket.lease.RunLease;
import io.locket.lease.RunLeases;
import io.locket.queue.EndResult;
import io.locket.queue.JobRecord;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.worker.HeldRun.EndedRun;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Begins and ends the leases of the jobs that this process has.
 */
final class HeldRuns {

	private static final Log logger = LogFactory.getLog(HeldRuns.class);

	private final RunLeases leases;

	private final JobKeys keys;

	HeldRuns(RunLeases leases, JobKeys keys) {
		this.leases = leases;
		this.keys = keys;
	}

	/**
	 * Keep the leases of a job alive from now on.
	 * @param job the job
	 * @param sentAt when the call that took it was first sent
	 */
	HeldRun begin(ReservedJob job, long sentAt) {
		JobRecord record = job.record();
		Instant since = Objects.requireNonNullElse(record.startedAt(), record.enqueuedAt());
		return new HeldRun(job,
				this.leases
					.begin(new RunLeases.Grant(record.id(), job.token(), keyOf(record), job.fence(), since,
							record.leaseFor(), sentAt))
					.orElse(null));
	}

	/**
	 * A run without a key is told from others by its id.
	 */
	private JobKey keyOf(JobRecord record) {
		JobKey key = record.key();
		return (key != null) ? key : this.keys.keyOf(record.job(), record.id(), false);
	}

	/**
	 * The queue has answered to the ends of some runs.
	 * @param runs the runs
	 * @param results an answer for each, or none at all if nobody waits for it any more
	 */
	void end(List<EndedRun> runs, List<EndResult> results) {
		for (int i = 0; i < runs.size(); i++) {
			EndedRun ended = runs.get(i);
			RunLease lease = ended.run().lease();
			if (lease != null) {
				lease.close();
			}
			if (i < results.size()) {
				log(ended, results.get(i));
			}
		}
	}

	private static void log(EndedRun ended, EndResult result) {
		JobRecord job = ended.run().job().record();
		RunEnd.Kind kind = ended.end().kind();
		if (!result.counted() && kind != RunEnd.Kind.RETURNED) {
			logger.warn("Job " + job.job() + " (" + job.id() + ") ended as " + kind
					+ ", which does not count, since its run had lost a lease; it is " + result.state()
					+ " now, and may run again. See why the lease was lost");
		}
		else if (result.state() == JobState.DEAD && kind == RunEnd.Kind.DEFER) {
			logger.warn("Job " + job.job() + " (" + job.id() + ") is dead; put it back when the cause is mended: "
					+ ended.end().error());
		}
		else {
			logger.debug("Job " + job.job() + " (" + job.id() + ") ended as " + kind + ", it is " + result.state());
		}
	}

}
