package io.locket.lease.heartbeat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.lease.heartbeat.RunRenewer.Report;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Progress reports of the runs of this process. The first report of a run is sent at
 * once, later ones with at most one call a second, and only the latest of each run.
 * Nothing is scheduled while there is no report. A report that is unsent when its run
 * ends is sent with the end. Thread-safe.
 */
final class RunReports {

	private static final Log logger = LogFactory.getLog(RunReports.class);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RunRenewer store;

	private final ScheduledExecutorService scheduler;

	private final LongSupplier nanoTime;

	private final Map<RunLease, Report> latest = new LinkedHashMap<>();

	private @Nullable Long sentAt;

	private boolean scheduled;

	/**
	 * Creates reports.
	 * @param store the store that receives the reports
	 * @param scheduler the scheduler of the calls, which a hanging store may block
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	RunReports(RunRenewer store, ScheduledExecutorService scheduler, LongSupplier nanoTime) {
		this.store = store;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a report of a run, which is sent soon and replaces its earlier one.
	 */
	synchronized void report(Report report) {
		report.run().keep(report);
		this.latest.put(report.run(), report);
		if (!this.scheduled) {
			schedule();
		}
	}

	private void schedule() {
		Long last = this.sentAt;
		long delay = (last != null) ? Math.max(0, last + INTERVAL_NANOS - this.nanoTime.getAsLong()) : 0;
		try {
			this.scheduler.schedule(this::send, delay, TimeUnit.NANOSECONDS);
			this.scheduled = true;
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The last run has ended, so unsent progress reports are dropped", ex);
			this.latest.clear();
		}
		catch (Error ex) {
			// Without a thread, a scheduler throws. The body must not fail for that.
			logger.debug("Could not schedule progress reports. They are sent with the next one", ex);
		}
	}

	private void send() {
		List<Report> batch = List.of();
		try {
			batch = take();
			if (!batch.isEmpty()) {
				this.store.report(batch);
				batch.forEach((report) -> report.run().sent(report));
			}
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Could not send the progress of " + batch.size() + " runs. Their next report is sent instead",
					ex);
		}
		finally {
			sendNext();
		}
	}

	/**
	 * Takes the next batch of reports, in the order in which their runs reported first.
	 * Reports of runs without a lease are dropped.
	 */
	private synchronized List<Report> take() {
		List<Report> batch = new ArrayList<>();
		Iterator<Report> reports = this.latest.values().iterator();
		while (reports.hasNext() && batch.size() < LeaseRenewer.BATCH) {
			Report report = reports.next();
			reports.remove();
			if (report.run().isHeld()) {
				batch.add(report);
			}
		}
		if (!batch.isEmpty()) {
			this.sentAt = this.nanoTime.getAsLong();
		}
		return batch;
	}

	private synchronized void sendNext() {
		this.scheduled = false;
		if (!this.latest.isEmpty()) {
			schedule();
		}
	}

}
