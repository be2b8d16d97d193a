package io.locket.worker;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.locket.event.JobObservers;
import io.locket.key.JobKeys;
import io.locket.lease.RunLease;
import io.locket.lease.RunLeases;
import io.locket.queue.EndResult;
import io.locket.queue.JobQueue;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservationRequest.QueueLimit;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.worker.HeldRun.EndedRun;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs queued jobs as workers do, one at a time and on the thread that asks for it. Where
 * there is such a bean, no other worker is started. A body may ask for further runs.
 * Thread-safe.
 */
public final class CallerWorker {

	private static final Log logger = LogFactory.getLog(CallerWorker.class);

	private final WorkerSettings settings;

	private final JobQueue queue;

	private final HeldRuns runs;

	private final JobHandlers handlers;

	private final RunningBodies bodies;

	private final JobObservers observers;

	private final DoubleSupplier random;

	private final LongSupplier nanoTime;

	private final LaneNames lanes;

	private final Set<RunLease> running = ConcurrentHashMap.newKeySet();

	/**
	 * Create a worker.
	 * @param settings how it works; its groups are not looked at
	 * @param queue where the jobs come from
	 * @param leases keeps the leases of their runs alive
	 * @param handlers runs them
	 * @param keys makes keys for runs that have none
	 * @param watch interrupts bodies
	 * @param observers are told of each run
	 * @param random random numbers from 0 to 1, for the jitter of delays
	 * @param nanoTime the monotonic clock of the leases, in nanoseconds
	 */
	public CallerWorker(WorkerSettings settings, JobQueue queue, RunLeases leases, JobHandlers handlers, JobKeys keys,
			ScheduledExecutorService watch, JobObservers observers, DoubleSupplier random, LongSupplier nanoTime) {
		this.settings = settings;
		this.queue = queue;
		this.runs = new HeldRuns(leases, keys);
		this.handlers = handlers;
		this.bodies = new RunningBodies(watch);
		this.observers = observers;
		this.random = random;
		this.nanoTime = nanoTime;
		this.lanes = new LaneNames(settings.instance() + "/caller-");
	}

	/**
	 * Take the next job that is ready and run it to its end.
	 * @param queues the queues to take from, in this order
	 * @return the run, or empty if nothing is ready
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	public Optional<CallerRun> runNext(List<String> queues) {
		String lane = this.lanes.take();
		try {
			long sentAt = this.nanoTime.getAsLong();
			ReservedJob job = reserve(lane, queues);
			return (job != null) ? Optional.of(run(this.runs.begin(job, sentAt))) : Optional.empty();
		}
		finally {
			this.lanes.giveBack(lane);
		}
	}

	private @Nullable ReservedJob reserve(String lane, List<String> queues) {
		List<QueueLimit> limits = queues.stream()
			.map((queue) -> new QueueLimit(queue, this.settings.maxRunning().getOrDefault(queue, 0)))
			.toList();
		while (true) {
			Reservation reservation = this.queue.reserve(new ReservationRequest(UUID.randomUUID().toString(), lane,
					this.settings.instance(), Thread.currentThread().getName(), limits, 1));
			if (!reservation.jobs().isEmpty()) {
				return reservation.jobs().get(0);
			}
			if (!reservation.cutShort()) {
				return null;
			}
		}
	}

	private CallerRun run(HeldRun run) {
		FailureWatch watch = new FailureWatch(this.handlers);
		RunLease lease = run.lease();
		if (lease != null) {
			this.running.add(lease);
		}
		List<EndResult> results = List.of();
		EndedRun ended = run.ended(RunEnd.returned(run.job()));
		try {
			ended = run.ended(end(run, watch));
			results = this.queue.settle(List.of(ended.end()), null).ends();
		}
		finally {
			if (lease != null) {
				this.running.remove(lease);
			}
			this.runs.end(List.of(ended), results);
		}
		RunEnd end = ended.end();
		return new CallerRun(run.job().record(), end.kind(), results.get(0), watch.failureOf(end));
	}

	private RunEnd end(HeldRun run, FailureWatch watch) {
		JobRunner runner = new JobRunner(watch, this.settings, this.bodies, this.observers, this.random, this.nanoTime);
		try {
			return runner.run(run);
		}
		catch (Throwable ex) {
			logger.error("Job " + run.job().record().id() + " failed in an unforeseen way: report this as a defect",
					ex);
			watch.failed(ex);
			return runner.failedUnforeseen(run.job(), ex);
		}
	}

	/**
	 * Return the leases of the bodies that run now.
	 * @return the leases at this moment
	 */
	public Collection<RunLease> running() {
		return List.copyOf(this.running);
	}

}
