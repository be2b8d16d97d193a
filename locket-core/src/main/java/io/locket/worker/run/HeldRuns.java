package io.locket.worker.run;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.key.JobKeys;
import io.locket.lease.heartbeat.RunLease;
import io.locket.lease.heartbeat.RunLeases;
import io.locket.log.SafeLog;
import io.locket.queue.JobRecord;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.run.HeldRun.EndedRun;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Leases of the jobs that this process has taken. Thread-safe.
 */
public final class HeldRuns {

	private static final Log logger = LogFactory.getLog(HeldRuns.class);

	private final RunLeases leases;

	private final JobKeys keys;

	private final Predicate<JobRecord> masked;

	/**
	 * Creates an instance without any run.
	 * @param leases the leases of the runs
	 * @param keys the factory of keys for runs without one
	 * @param masked whether a job masks its arguments here. The process that enqueued it
	 * may not have masked them
	 */
	HeldRuns(RunLeases leases, JobKeys keys, Predicate<JobRecord> masked) {
		this.leases = leases;
		this.keys = keys;
		this.masked = masked;
	}

	/**
	 * Starts to keep the leases of a job alive.
	 * @param job the job
	 * @param sentAt the time of the first sending of the call that took it
	 * @return the run with its leases
	 */
	public HeldRun begin(ReservedJob job, long sentAt) {
		JobRecord record = job.record();
		Instant since = Objects.requireNonNullElse(record.startedAt(), record.enqueuedAt());
		boolean mask = this.masked.test(record);
		return new HeldRun(job,
				this.leases
					.begin(new RunLeases.Grant(record.id(), job.token(), keyOf(record, mask), job.fence(),
							job.keyLeased(), since, record.leaseFor(), sentAt, mask))
					.orElse(null));
	}

	/**
	 * Returns the key of a job. A run without a key is identified by its id.
	 */
	private JobKey keyOf(JobRecord record, boolean mask) {
		JobKey key = record.key();
		if (key == null) {
			return this.keys.keyOf(record.job(), record.id(), false);
		}
		return mask ? JobKeys.masked(key) : key;
	}

	/**
	 * Ends the leases of some runs, and logs the results of the queue.
	 * @param runs the runs
	 * @param results a result for each, or none if there was no reply
	 */
	public void end(List<EndedRun> runs, List<EndResult> results) {
		for (EndedRun ended : runs) {
			RunLease lease = ended.run().lease();
			if (lease != null) {
				lease.close();
			}
		}
		SafeLog.write(() -> log(runs, results));
	}

	private static void log(List<EndedRun> runs, List<EndResult> results) {
		for (int i = 0; i < results.size(); i++) {
			log(runs.get(i), results.get(i));
		}
	}

	private static void log(EndedRun ended, EndResult result) {
		JobRecord job = ended.run().job().record();
		RunEnd.Kind kind = ended.end().kind();
		if (!result.counted() && kind != RunEnd.Kind.RETURNED) {
			logger.warn("Job " + job.job() + " (" + job.id() + ") ended as " + kind
					+ ", which does not count because its run had lost a lease. " + fate(result.state())
					+ ". Find out why the lease was lost");
		}
		else if (result.state() == JobState.DEAD && (kind == RunEnd.Kind.DEFER || kind == RunEnd.Kind.UNKNOWN)) {
			logger.warn("Job " + job.job() + " (" + job.id() + ") is dead. Requeue it when the cause is fixed: "
					+ ended.end().error());
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("Job " + job.job() + " (" + job.id() + ") ended as " + kind + ", it is " + result.state());
		}
	}

	private static String fate(@Nullable JobState state) {
		if (state == null) {
			return "The job is no longer in the store and does not run again";
		}
		return "The job is " + state + " now, and " + (state.isEnded() ? "does not run" : "may run") + " again";
	}

}
