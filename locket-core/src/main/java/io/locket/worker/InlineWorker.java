package io.locket.worker;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

import io.locket.lease.heartbeat.RunLease;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.reservation.PollerNames;
import io.locket.worker.reservation.RequestIds;
import io.locket.worker.run.FailureWatch;
import io.locket.worker.run.HeldRun;
import io.locket.worker.run.HeldRun.EndedRun;
import io.locket.worker.run.HeldRuns;
import io.locket.worker.run.JobRunner;
import io.locket.worker.run.RunParts;
import io.locket.worker.run.RunningBodies;
import io.locket.worker.run.UnknownJobs;
import io.locket.worker.settings.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Worker that runs queued jobs on the calling thread, one at a time. If such a bean
 * exists, no other worker is started. A body may request further runs. Thread-safe.
 */
public final class InlineWorker {

	private static final Log logger = LogFactory.getLog(InlineWorker.class);

	private final WorkerSettings settings;

	private final JobQueue queue;

	private final RunParts parts;

	private final HeldRuns runs;

	private final UnknownJobs unknown;

	private final RunningBodies bodies;

	private final DoubleSupplier random;

	private final PollerNames pollers;

	private final Set<RunLease> running = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a worker.
	 * @param settings the settings; its groups are ignored
	 * @param queue the queue
	 * @param parts the collaborators of the runs
	 * @param watch the scheduler that interrupts bodies
	 * @param random random numbers from 0 to 1, for the jitter of delays
	 */
	public InlineWorker(WorkerSettings settings, JobQueue queue, RunParts parts, ScheduledExecutorService watch,
			DoubleSupplier random) {
		this.settings = settings;
		this.queue = queue;
		this.parts = parts;
		this.runs = parts.heldRuns(false);
		this.unknown = new UnknownJobs(parts.handlers());
		this.bodies = new RunningBodies(watch);
		this.random = random;
		this.pollers = new PollerNames(settings.instance() + "/caller-");
	}

	/**
	 * Takes the next ready job and runs it to its end.
	 * @param queues the queues to take from, in this order
	 * @return the run, or empty if nothing is ready
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public Optional<InlineRun> runNext(List<String> queues) {
		return runNext(queues, this.queue::reserve);
	}

	/**
	 * Takes the next job of a source and runs it to its end.
	 * @param queues the queues to take from, in this order
	 * @param source reserves a job of the queue
	 * @return the run, or empty if the source has nothing ready
	 */
	public Optional<InlineRun> runNext(List<String> queues, Function<ReservationRequest, Reservation> source) {
		String poller = this.pollers.take();
		try {
			long sentAt = this.parts.nanoTime().getAsLong();
			ReservedJob job = reserve(poller, queues, source);
			return (job != null) ? Optional.of(run(this.runs.begin(job, sentAt))) : Optional.empty();
		}
		finally {
			this.pollers.release(poller);
		}
	}

	private @Nullable ReservedJob reserve(String poller, List<String> queues,
			Function<ReservationRequest, Reservation> source) {
		List<QueueLimit> limits = queues.stream()
			.distinct()
			.map((queue) -> new QueueLimit(queue, this.settings.maxRunning().getOrDefault(queue, 0)))
			.toList();
		while (true) {
			Reservation reservation = source.apply(new ReservationRequest(RequestIds.next(), poller,
					this.settings.instance(), Thread.currentThread().getName(), limits, 1, this.unknown.names()));
			if (!reservation.jobs().isEmpty()) {
				return reservation.jobs().get(0);
			}
			if (!reservation.cutShort()) {
				return null;
			}
		}
	}

	private InlineRun run(HeldRun run) {
		FailureWatch watch = new FailureWatch(this.parts.handlers());
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
		return new InlineRun(run.job().record(), end.kind(), results.get(0), watch.failureOf(end));
	}

	private RunEnd end(HeldRun run, FailureWatch watch) {
		JobRunner runner = new JobRunner(watch, this.unknown, this.settings, this.bodies, this.parts.observers(),
				this.random, this.parts.nanoTime());
		try {
			return runner.run(run);
		}
		catch (Throwable ex) {
			logger.error("Job " + run.job().record().id() + " failed unexpectedly. Report this as a bug", ex);
			watch.failed(ex);
			return runner.failedUnforeseen(run.job(), ex);
		}
	}

	/**
	 * Returns the leases of the running bodies.
	 * @return the leases at this moment
	 */
	public Collection<RunLease> running() {
		return List.copyOf(this.running);
	}

}
