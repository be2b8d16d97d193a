package io.locket.worker;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.RunLeases;
import io.locket.queue.JobQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Starts the workers of this process when everything else has started, and stops them
 * first. A stop waits for the bodies that run, as the settings say, however long Spring
 * would wait for a phase.
 */
public final class WorkerLifecycle implements SmartLifecycle, DisposableBean {

	private static final Log logger = LogFactory.getLog(WorkerLifecycle.class);

	/**
	 * Started after the web server and stopped before it, and long before leases and
	 * connections.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final WorkerParts parts;

	private int starts;

	private volatile @Nullable Worker worker;

	/**
	 * Create the workers.
	 * @param settings how they work
	 * @param queue where the jobs come from
	 * @param leases keeps the leases of their runs alive
	 * @param handlers runs the jobs
	 * @param filters decides from which queues they may take, in this order
	 * @param keys makes keys for runs that have none
	 * @param watch interrupts bodies; nothing holds it up
	 * @param observers are told of each run
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public WorkerLifecycle(WorkerSettings settings, JobQueue queue, RunLeases leases, JobHandlers handlers,
			List<? extends QueueReservationFilter> filters, JobKeys keys, ScheduledExecutorService watch,
			JobObservers observers, LongSupplier nanoTime) {
		Assert.notNull(queue, "'queue' must not be null");
		Assert.notNull(handlers, "'handlers' must not be null");
		this.parts = new WorkerParts(settings, queue, leases, handlers, new ReservationFilters(filters),
				WorkerParts.idleAmong(filters), keys, watch, observers, nanoTime);
	}

	@Override
	public synchronized void start() {
		if (this.worker != null) {
			return;
		}
		this.starts++;
		Worker started = new Worker(this.parts, Integer.toString(this.starts));
		this.worker = started;
		started.start();
		logger.info("Running queued jobs: " + this.parts.settings()
			.groups()
			.stream()
			.map((group) -> group.name() + " (" + group.concurrency() + ") from " + group.queueNames())
			.toList() + " in namespace '" + this.parts.settings().namespace() + "'");
	}

	@Override
	public synchronized void stop() {
		Worker stopped = this.worker;
		if (stopped != null) {
			this.worker = null;
			stopped.stop();
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
	 * Look how the workers are. Asks nobody, and may be called at any time.
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
