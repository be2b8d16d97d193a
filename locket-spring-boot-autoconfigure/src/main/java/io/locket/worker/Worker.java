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

import io.locket.queue.RunEnd;
import io.locket.worker.HeldRun.EndedRun;
import io.locket.worker.QueueCalls.Answer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * All groups of this process, from a start to a stop.
 */
final class Worker {

	private static final Log logger = LogFactory.getLog(Worker.class);

	/**
	 * How long a shutdown waits for bodies that it has interrupted.
	 */
	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

	private static final int RETURNED_AT_ONCE = 100;

	private final WorkerParts parts;

	private final WorkerStop stop;

	private final QueueCalls calls;

	private final HeldRuns runs;

	private final RunningBodies bodies;

	private final List<WorkerGroup> groups;

	private final CountDownLatch ended;

	private final Housekeeping housekeeping;

	private final ThreadWatch housekeeper;

	private final AnswerWatch answers;

	private final Duration interval;

	/**
	 * Create a worker.
	 * @param parts what it is made of
	 * @param name tells its slots from those of earlier workers of this process
	 */
	Worker(WorkerParts parts, String name) {
		WorkerSettings settings = parts.settings();
		DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
		this.parts = parts;
		this.stop = new WorkerStop(parts.nanoTime());
		this.interval = shortestInterval(settings);
		this.answers = new AnswerWatch(StallCheck.patience(this.interval), parts.nanoTime());
		this.calls = new QueueCalls(parts.queue(), this.stop, new OutageLog(parts.nanoTime()), this.answers,
				parts.nanoTime());
		this.runs = new HeldRuns(parts.leases(), parts.keys());
		this.bodies = new RunningBodies(parts.watch());
		JobRunner runner = new JobRunner(parts.handlers(), settings, this.bodies, parts.observers(), random,
				parts.nanoTime());
		this.groups = settings.groups().stream().map((group) -> group(group, name, runner, random)).toList();
		this.ended = new CountDownLatch(this.groups.stream().mapToInt(WorkerGroup::size).sum());
		this.housekeeper = new ThreadWatch(parts.nanoTime());
		this.housekeeping = new Housekeeping(parts.queue(), this.calls, this.stop, this::onNews,
				settings.instance() + "/" + name + "/housekeeping", settings.instance(), this.interval,
				this.housekeeper);
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
				this.parts.filters(), this.parts.idle());
		WaitingRoom room = new WaitingRoom(group.pollInterval(), this.parts.nanoTime(), random);
		List<Slot> slots = new ArrayList<>();
		for (int i = 1; i <= group.concurrency(); i++) {
			String lane = settings.instance() + "/" + name + "/" + group.name() + "-" + i;
			slots.add(new Slot(lane, planner, room, this.calls, this.stop, this.runs, runner,
					new ThreadWatch(this.parts.nanoTime())));
		}
		return new WorkerGroup(group, room, slots);
	}

	void start() {
		this.groups.forEach((group) -> group.start(this.ended));
		new Thread(this.housekeeping, "locket-worker-housekeeping").start();
	}

	WorkerStatus status() {
		String stalled = this.stop.isStopping() ? null
				: this.groups.stream()
					.map((group) -> group.stalled(this.answers))
					.filter(Objects::nonNull)
					.findFirst()
					.orElseGet(() -> this.housekeeper.stalled(this.answers.check(StallCheck.patience(this.interval))));
		return new WorkerStatus(this.groups.stream().map(WorkerGroup::status).toList(), stalled,
				this.stop.isStopping() ? null : this.answers.unanswered());
	}

	private void onNews(@Nullable String queue) {
		List<WorkerGroup> concerned = this.groups.stream().filter((group) -> group.serves(queue)).toList();
		if (!concerned.isEmpty()) {
			this.parts.idle().onNews(queue);
			concerned.forEach(WorkerGroup::onNews);
		}
	}

	/**
	 * Take no more jobs, and wait for the bodies that run: for the grace time, and after
	 * an interrupt a little longer. A body that goes on keeps its leases.
	 */
	void stop() {
		Duration grace = this.parts.settings().shutdownGrace();
		long deadline = this.parts.nanoTime().getAsLong() + grace.plus(AFTER_INTERRUPT).toNanos();
		this.stop.begin(grace.plus(AFTER_INTERRUPT));
		List<HeldRun> pending = this.groups.stream().flatMap((group) -> group.stop().stream()).toList();
		Thread returning = new Thread(() -> giveBack(pending), "locket-worker-return");
		returning.setDaemon(true);
		returning.start();
		try {
			if (!this.ended.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
				interrupt();
			}
			if (!this.ended.await(left(deadline), TimeUnit.NANOSECONDS)) {
				logger.warn("The shutdown goes on without waiting any longer for " + this.bodies.running()
						+ "; what goes on keeps its leases while the process lives. Let bodies heed interrupts, or raise"
						+ " locket.worker.shutdown-grace");
			}
			returning.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left(deadline))));
		}
		catch (InterruptedException ex) {
			this.bodies.interruptAll();
			Thread.currentThread().interrupt();
		}
	}

	private long left(long deadline) {
		return deadline - this.parts.nanoTime().getAsLong();
	}

	private void interrupt() {
		List<RunningBody> running = this.bodies.running();
		if (!running.isEmpty()) {
			logger.info("Interrupting " + running.size() + " job(s) that did not end within "
					+ this.parts.settings().shutdownGrace() + ": " + running);
		}
		this.bodies.interruptAll();
	}

	private void giveBack(List<HeldRun> pending) {
		for (int from = 0; from < pending.size(); from += RETURNED_AT_ONCE) {
			List<EndedRun> ended = pending.subList(from, Math.min(pending.size(), from + RETURNED_AT_ONCE))
				.stream()
				.map((run) -> run.ended(RunEnd.returned(run.job())))
				.toList();
			Answer answer = this.calls.send(ended.stream().map(EndedRun::end).toList(), null,
					() -> ended.stream().allMatch(EndedRun::isHopeless));
			this.runs.end(ended, (answer != null) ? answer.ends() : List.of());
		}
	}

}
