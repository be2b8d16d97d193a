package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.locket.log.OutageLog;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.reservation.IdleSlots;
import io.locket.worker.reservation.RequestPlanner;
import io.locket.worker.run.HeldRuns;
import io.locket.worker.run.JobRunner;
import io.locket.worker.run.RunningBodies;
import io.locket.worker.run.RunningBody;
import io.locket.worker.run.UnknownJobs;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.WorkerSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * All worker groups of this process, from a start to a stop.
 */
final class Worker {

	private static final Log logger = LogFactory.getLog(Worker.class);

	/**
	 * Time that a shutdown waits for interrupted bodies.
	 */
	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

	private static final int MAX_LISTED = 20;

	private final WorkerParts parts;

	private final WorkerStop stop;

	private final QueueCalls calls;

	private final HeldRuns runs;

	private final HeldJobs heldJobs;

	private final RunningBodies bodies;

	private final UnknownJobs unknown;

	private final List<WorkerGroup> groups;

	private final CountDownLatch ended;

	private final Thread housekeeping;

	private final ThreadWatch housekeepingWatch;

	private final CallWatch callWatch;

	private final QuietFilter quiet;

	private final Duration interval;

	private @Nullable Thread returning;

	/**
	 * Creates a worker.
	 * @param parts the collaborators
	 * @param name the name that distinguishes its slots from those of earlier workers of
	 * this process
	 * @param quiet whether the earlier workers of this process were quiet
	 */
	Worker(WorkerParts parts, String name, boolean quiet) {
		WorkerSettings settings = parts.settings();
		DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
		this.parts = parts;
		this.stop = new WorkerStop(parts.nanoTime());
		this.interval = shortestInterval(settings);
		this.callWatch = new CallWatch(StallCheck.patience(this.interval), parts.nanoTime());
		this.calls = new QueueCalls(parts.queue(), this.stop, outage(parts.nanoTime()), this.callWatch,
				parts.nanoTime());
		this.runs = parts.runs().heldRuns(false);
		this.bodies = new RunningBodies(parts.watch());
		this.unknown = new UnknownJobs(parts.runs().handlers());
		JobRunner runner = new JobRunner(parts.runs().handlers(), this.unknown, settings, this.bodies,
				parts.runs().observers(), random, parts.nanoTime());
		this.quiet = new QuietFilter(parts.queue(), settings.instance(), parts.nanoTime(), this::wake, quiet);
		this.groups = settings.groups().stream().map((group) -> group(group, name, runner, random)).toList();
		this.heldJobs = new HeldJobs(this.groups, this.calls, this.runs, this::onNotification);
		this.ended = new CountDownLatch(this.groups.stream().mapToInt(WorkerGroup::size).sum());
		this.housekeepingWatch = new ThreadWatch(parts.nanoTime());
		this.housekeeping = new Thread(
				new Housekeeping(parts.queue(), new WorkerLoop(this.calls, this.stop, this.housekeepingWatch),
						this::onNotification, atTick(new MinuteCounter(parts.queue(), parts.nanoTime(), random)),
						settings.instance() + "/" + name + "/housekeeping", settings.instance(), this.interval),
				"locket-worker-housekeeping");
	}

	private void wake() {
		this.parts.idle().onNotification(null);
		this.groups.forEach(WorkerGroup::onNotification);
	}

	private Runnable atTick(MinuteCounter counter) {
		return () -> {
			this.heldJobs.settleLate();
			counter.run();
			this.quiet.run();
		};
	}

	private static OutageLog outage(LongSupplier nanoTime) {
		return new OutageLog(logger, nanoTime, "Calls of the queue fail; workers repeat them until they succeed",
				"Calls of the queue succeed again");
	}

	private static Duration shortestInterval(WorkerSettings settings) {
		return settings.groups()
			.stream()
			.map(GroupSettings::pollInterval)
			.min(Comparator.naturalOrder())
			.orElse(Duration.ofSeconds(1));
	}

	private WorkerGroup group(GroupSettings group, String name, JobRunner runner, DoubleSupplier random) {
		WorkerSettings settings = this.parts.settings();
		RequestPlanner planner = new RequestPlanner(group, settings.instance(), settings.maxRunning(),
				this.parts.filters().with(this.quiet), this.parts.idle(), this.unknown::names);
		IdleSlots idleSlots = new IdleSlots(group.pollInterval(), this.parts.nanoTime(), random);
		List<Slot> slots = new ArrayList<>();
		for (int i = 1; i <= group.concurrency(); i++) {
			String poller = settings.instance() + "/" + name + "/" + group.name() + "-" + i;
			WorkerLoop loop = new WorkerLoop(this.calls, this.stop, new ThreadWatch(this.parts.nanoTime()));
			slots.add(new Slot(poller, planner, idleSlots, loop, this.runs, runner,
					new SlotBatch(group.batch(), group.batchHold(), this.parts.nanoTime())));
		}
		return new WorkerGroup(group, idleSlots, slots);
	}

	/**
	 * Lets the workers take no job until they have read whether they are quiet. Called
	 * before the start, if there were earlier workers in this process.
	 */
	void holdUntilMarkIsRead() {
		this.quiet.hold();
	}

	/**
	 * Starts all threads. If one cannot be started, this stops the others and waits for
	 * them as {@link #stop()} does.
	 */
	void start() {
		this.quiet.onNotification();
		try {
			this.groups.forEach((group) -> group.start(this.ended));
			this.housekeeping.start();
		}
		catch (RuntimeException | Error ex) {
			this.groups.forEach((group) -> group.endUnstarted(this.ended));
			stop();
			throw ex;
		}
	}

	boolean isQuiet() {
		return this.quiet.isQuiet();
	}

	WorkerStatus status() {
		String stalled = this.stop.isStopping() ? null : this.groups.stream()
			.map((group) -> group.stalled(this.callWatch))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseGet(() -> this.housekeepingWatch.stalled(this.callWatch.check(StallCheck.patience(this.interval))));
		return new WorkerStatus(this.groups.stream().map(WorkerGroup::status).toList(), stalled,
				this.stop.isStopping() ? null : this.callWatch.outage());
	}

	private void onNotification(@Nullable String queue) {
		if (queue == null) {
			this.quiet.onNotification();
		}
		List<WorkerGroup> concerned = this.groups.stream().filter((group) -> group.serves(queue)).toList();
		if (!concerned.isEmpty()) {
			this.parts.idle().onNotification(queue);
			concerned.forEach(WorkerGroup::onNotification);
		}
	}

	/**
	 * Stops taking jobs, and starts to return those that have not started. The grace time
	 * begins now. Does not wait. Calls must not overlap.
	 */
	void stopTaking() {
		if (this.stop.begin(this.parts.settings().shutdownGrace().plus(AFTER_INTERRUPT))) {
			this.groups.forEach(WorkerGroup::stop);
			this.returning = this.heldJobs.startSettlingAll();
		}
	}

	/**
	 * Stops taking jobs and waits for the running bodies, for the grace time and, after
	 * an interrupt, a little longer. A body that continues keeps its leases.
	 */
	void stop() {
		stopTaking();
		try {
			if (!this.ended.await(this.stop.left() - AFTER_INTERRUPT.toNanos(), TimeUnit.NANOSECONDS)) {
				interrupt();
			}
			if (!this.ended.await(this.stop.left(), TimeUnit.NANOSECONDS)) {
				logUnfinished();
			}
			awaitEnd(this.returning);
			awaitEnd(this.housekeeping);
		}
		catch (InterruptedException ex) {
			this.bodies.interruptAll();
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Logs the bodies and the calls that the shutdown no longer waits for. A request for
	 * jobs is not logged, because no job depends on it.
	 */
	private void logUnfinished() {
		List<RunningBody> running = this.bodies.running();
		if (!running.isEmpty()) {
			logger.warn("The shutdown continues without waiting for " + running
					+ ". A body that still runs keeps its leases while the process lives. Make bodies respond to"
					+ " interrupts, or increase locket.worker.shutdown-grace");
		}
		List<String> ended = unsettled((kind) -> kind != RunEnd.Kind.RETURNED);
		if (!ended.isEmpty()) {
			logger.warn("The shutdown continues without a reply for the ends of " + ended.size()
					+ " job(s). Unless Redis has stored them, these jobs run again when their leases expire. Check"
					+ " Redis: " + first(ended));
		}
		List<String> returned = unsettled((kind) -> kind == RunEnd.Kind.RETURNED);
		if (!returned.isEmpty()) {
			logger.warn("The shutdown continues without a reply for the return of " + returned.size()
					+ " job(s), which have not ended. They are ready again when their leases expire, if not before."
					+ " Check Redis: " + first(returned));
		}
	}

	private List<String> unsettled(Predicate<RunEnd.Kind> kinds) {
		return this.heldJobs.unsettled()
			.stream()
			.filter((run) -> kinds.test(run.end().kind()))
			.map((run) -> run.run().job().record())
			.map((job) -> "job " + job.job() + " (" + job.id() + ")")
			.sorted()
			.toList();
	}

	private static String first(List<String> jobs) {
		String listed = jobs.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
		return (jobs.size() > MAX_LISTED) ? listed + ", ..." : listed;
	}

	private void awaitEnd(@Nullable Thread thread) throws InterruptedException {
		if (thread != null && thread != Thread.currentThread()) {
			thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(this.stop.left())));
		}
	}

	private void interrupt() {
		List<RunningBody> running = this.bodies.running();
		if (!running.isEmpty()) {
			logger.info("Interrupting " + running.size() + " job(s) that did not end within "
					+ this.parts.settings().shutdownGrace() + ": " + running);
		}
		this.bodies.interruptAll();
	}

}
