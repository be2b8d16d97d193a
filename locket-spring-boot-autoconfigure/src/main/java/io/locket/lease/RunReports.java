package io.locket.lease;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.lease.RunRenewer.Report;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Passes on how far the runs of this process are: the latest of each, the first one at
 * once, and by one call a second at the most. Nothing is scheduled while there is nothing
 * to tell. What has not been passed on when a run ends goes with its end. Thread-safe.
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
	 * Create reports.
	 * @param store is told
	 * @param scheduler tells it; a store that hangs holds it up
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	RunReports(RunRenewer store, ScheduledExecutorService scheduler, LongSupplier nanoTime) {
		this.store = store;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
	}

	/**
	 * Tell how far a run is, soon, in the place of what it has told before.
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
			logger.debug("The last run has ended: nobody is told any more how far it was", ex);
			this.latest.clear();
		}
	}

	private void send() {
		List<Report> batch = take();
		try {
			if (!batch.isEmpty()) {
				this.store.report(batch);
				batch.forEach((report) -> report.run().sent(report));
			}
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Could not tell how far " + batch.size() + " runs are: what they tell next is told again", ex);
		}
		finally {
			goOn();
		}
	}

	/**
	 * Take what those who have told first have told last. Who has no lease any more has
	 * nothing to tell.
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

	private synchronized void goOn() {
		this.scheduled = false;
		if (!this.latest.isEmpty()) {
			schedule();
		}
	}

}
