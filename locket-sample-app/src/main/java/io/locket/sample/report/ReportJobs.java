package io.locket.sample.report;

import java.time.Duration;

import io.locket.JobContext;
import io.locket.QueuedRun;
import io.locket.UniqueJob;

import org.springframework.stereotype.Component;

/**
 * Jobs with different ends: some are parked, one fails and succeeds with its retry, one
 * becomes a dead letter, and one is reclaimed from a {@link LostWorker}.
 */
@Component
public class ReportJobs {

	static final String QUEUE = "reports";

	private static final int PARTS = 3;

	private static final Duration PART = Duration.ofSeconds(1);

	/**
	 * Publishes a chapter of the report. One chapter of a site is published at a time, so
	 * the others are parked.
	 * @param site the site, which is the key
	 * @param chapter the chapter
	 * @throws InterruptedException if the replica stops in the meantime
	 */
	@UniqueJob(name = "inventory.publish", key = "#site", queue = QUEUE)
	public void publish(String site, String chapter) throws InterruptedException {
		JobContext context = JobContext.required();
		for (int part = 0; part < PARTS; part++) {
			context.progress(part, PARTS, "publishing " + chapter + " at " + site);
			Thread.sleep(PART.toMillis());
			context.ensureLease();
		}
		context.progress(PARTS, PARTS, "published " + chapter + " at " + site);
	}

	/**
	 * Sends the report. The first attempt fails, and the retry succeeds.
	 * @param recipient the recipient
	 * @param scan the scan
	 */
	@UniqueJob(name = "inventory.send", queue = QUEUE, retries = "2", backoff = "15s")
	public void send(String recipient, long scan) {
		if (JobContext.required().queuedRun().map(QueuedRun::attempt).orElse(1) == 1) {
			throw new IllegalStateException("The mail server is busy. This failure is an example");
		}
	}

	/**
	 * Signs the report. It fails always and becomes a dead letter.
	 * @param scan the scan
	 */
	@UniqueJob(name = "inventory.sign", queue = QUEUE, retries = "1", backoff = "1s")
	public void sign(long scan) {
		throw new IllegalStateException("There is no key to sign the report. This failure is an example");
	}

	/**
	 * Archives the report, once it has been reclaimed from the worker that took it first.
	 * @param scan the scan
	 */
	@UniqueJob(name = "inventory.archive", queue = LostWorker.QUEUE)
	public void archive(long scan) {
		QueuedRun run = JobContext.required().queuedRun().orElseThrow();
		JobContext.required().progress(1, 1, "archived the report of scan " + scan + " in attempt " + run.attempt());
	}

}
