package io.locket.worker;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import io.locket.queue.spi.JobQueue;
import io.locket.worker.reservation.QueueReservationFilter;
import io.locket.worker.reservation.ReservationFilters;
import io.locket.worker.run.RunParts;
import io.locket.worker.settings.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Lifecycle of the workers of this process. They start after most other beans and stop
 * before them. A stop waits for running bodies as the settings state, regardless of
 * Spring's timeout per phase.
 */
public final class WorkerLifecycle implements SmartLifecycle, DisposableBean {

	private static final Log logger = LogFactory.getLog(WorkerLifecycle.class);

	/**
	 * Phase after the start and before the stop of the web server, and long before the
	 * stop of leases and connections.
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final WorkerParts parts;

	private int starts;

	/**
	 * Whether the stopped workers were quiet. They remain so after the next start.
	 */
	private boolean quiet;

	private volatile @Nullable Worker worker;

	/**
	 * Creates the workers.
	 * @param settings the settings
	 * @param queue the queue
	 * @param runs the collaborators of the runs
	 * @param filters the reservation filters, in this order
	 * @param watch the scheduler that interrupts bodies; its tasks must not block
	 */
	public WorkerLifecycle(WorkerSettings settings, JobQueue queue, RunParts runs,
			List<? extends QueueReservationFilter> filters, ScheduledExecutorService watch) {
		Assert.notNull(queue, "'queue' must not be null");
		this.parts = new WorkerParts(settings, queue, runs, new ReservationFilters(filters),
				WorkerParts.idleAmong(filters), watch);
	}

	@Override
	public synchronized void start() {
		if (this.worker != null) {
			return;
		}
		this.starts++;
		Worker started = new Worker(this.parts, Integer.toString(this.starts), this.quiet);
		if (this.starts > 1) {
			started.holdUntilMarkIsRead();
		}
		started.start();
		this.worker = started;
		logger.info("Running queued jobs: " + this.parts.settings()
			.groups()
			.stream()
			.map((group) -> group.name() + " (" + group.concurrency() + ") from " + group.queueNames())
			.toList() + " in namespace '" + this.parts.settings().namespace() + "'");
	}

	/**
	 * Takes no more jobs, until a stop and a start. The grace time of running bodies
	 * begins now. Does not wait for them.
	 */
	public synchronized void stopTaking() {
		Worker current = this.worker;
		if (current != null) {
			current.stopTaking();
		}
	}

	@Override
	public synchronized void stop() {
		Worker stopped = this.worker;
		if (stopped != null) {
			this.worker = null;
			try {
				stopped.stop();
			}
			finally {
				this.quiet = stopped.isQuiet();
			}
		}
	}

	@Override
	public void destroy() {
		stop();
	}

	@Override
	public boolean isRunning() {
		return this.worker != null;
	}

	/**
	 * Returns the status of the workers. It does not call the store.
	 * @return the status
	 */
	public WorkerStatus status() {
		Worker current = this.worker;
		return (current != null) ? current.status()
				: new WorkerStatus(this.parts.settings()
					.groups()
					.stream()
					.map((group) -> new WorkerStatus.Group(group.name(), group.queueNames(), group.concurrency(), 0))
					.toList(), null, null);
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
