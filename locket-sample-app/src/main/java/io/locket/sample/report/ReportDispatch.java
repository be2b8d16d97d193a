package io.locket.sample.report;

import java.util.List;

import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.stereotype.Component;

/**
 * Enqueues the jobs that use the reports of a scan, in small numbers.
 */
@Component
public class ReportDispatch {

	private static final Log logger = LogFactory.getLog(ReportDispatch.class);

	private static final List<String> CHAPTERS = List.of("artifacts", "packages", "versions");

	/**
	 * Number of dead letters from which on no more are made.
	 */
	private static final int ENOUGH_DEAD_LETTERS = 2;

	private final Jobs jobs;

	private final JobAdministration administration;

	private final LostWorker lostWorker;

	ReportDispatch(Jobs jobs, LostWorker lostWorker, JobAdministration administration) {
		this.jobs = jobs;
		this.lostWorker = lostWorker;
		this.administration = administration;
	}

	/**
	 * Enqueues the jobs. A failure is logged and does not affect the scan.
	 * @param scan the scan
	 */
	public void dispatch(long scan) {
		try {
			CHAPTERS.forEach(
					(chapter) -> this.jobs.enqueue(ReportJobs.class, (report) -> report.publish("intranet", chapter)));
			this.jobs.enqueue(ReportJobs.class, (report) -> report.send("architects", scan));
			if (this.administration.counts(ReportJobs.QUEUE).deadLetters() < ENOUGH_DEAD_LETTERS) {
				this.jobs.enqueue(ReportJobs.class, (report) -> report.sign(scan));
			}
			this.lostWorker.replace(ReportJobs.QUEUE);
			this.jobs.enqueue(ReportJobs.class, (report) -> report.archive(scan));
			this.lostWorker.take();
		}
		catch (RuntimeException ex) {
			logger.warn("The jobs that use the report of scan " + scan + " could not be enqueued: " + ex);
		}
	}

}
