package io.locket.sample.scan;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.locket.job.Jobs;
import io.locket.queue.spi.JobStore;
import io.locket.sample.artifact.Artifact;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.stereotype.Component;

/**
 * One scan. It offers each artifact several times at once, waits until the fleet has
 * inspected them, and counts the events.
 */
final class Scan {

	private static final Log logger = LogFactory.getLog(Scan.class);

	private static final long GLANCE_MILLIS = 50;

	private final Parts parts;

	private final long id;

	private final CountDownLatch cancelled = new CountDownLatch(1);

	Scan(Parts parts, long id) {
		this.parts = parts;
		this.id = id;
	}

	/**
	 * Scans the artifacts, and then holds the lease for a while.
	 * @param artifacts the artifacts
	 * @param offersEach the number of concurrent offers of each artifact
	 * @param pause the time to hold the lease afterwards
	 * @return the result
	 * @throws CancellationException if the scan was cancelled
	 * @throws TimeoutException if the inspections do not end
	 */
	ScanResult run(List<Artifact> artifacts, int offersEach, Duration pause)
			throws InterruptedException, TimeoutException {
		this.parts.ended().begin();
		try {
			return scan(artifacts, offersEach, pause);
		}
		finally {
			this.parts.ended().end();
		}
	}

	private ScanResult scan(List<Artifact> artifacts, int offersEach, Duration pause)
			throws InterruptedException, TimeoutException {
		Offers offers = new Offers(this.parts.jobs(), this.parts.tally(), this.id, this::isCancelled);
		offers.make(artifacts, offersEach);
		Inspections inspections = new Inspections(this.parts.store(), this.parts.ended(), offers.ids());
		while (!inspections.haveEnded()) {
			goOnFor(Duration.ofMillis(GLANCE_MILLIS));
		}
		if (!pause.isZero() && !isCancelled()) {
			logger.info("Inspected all artifacts. The scan holds its lease for another " + pause.toSeconds() + " s");
		}
		goOnFor(pause);
		ScanTally.Counts counts = this.parts.tally().counts(this.id);
		return new ScanResult(artifacts.size(), offers.offered(), counts.ran(), offers.merged(), counts.overlapped(),
				counts.again(), offers.failed() + inspections.failed());
	}

	private void goOnFor(Duration time) throws InterruptedException {
		if (this.cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new CancellationException("The scan was cancelled");
		}
	}

	/**
	 * Ends the scan early, without a result. Enqueued inspections still run.
	 */
	void cancel() {
		this.cancelled.countDown();
	}

	private boolean isCancelled() {
		return this.cancelled.getCount() == 0;
	}

	/**
	 * The components of all scans.
	 *
	 * @param jobs enqueues inspections
	 * @param store returns their states
	 * @param ended the inspections that have ended in this replica
	 * @param tally the counters of the inspections
	 */
	@Component
	record Parts(Jobs jobs, JobStore store, EndedInspections ended, ScanTally tally) {

	}

}
