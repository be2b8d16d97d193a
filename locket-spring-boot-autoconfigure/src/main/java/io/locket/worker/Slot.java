package io.locket.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.locket.queue.Reservation;
import io.locket.queue.ReservedJob;
import io.locket.queue.RunEnd;
import io.locket.worker.HeldRun.EndedRun;
import io.locket.worker.QueueCalls.Answer;
import io.locket.worker.RequestPlanner.Plan;
import io.locket.worker.ThreadWatch.Doing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a group: it runs the jobs that it has, and then ends them and takes the
 * next ones by one call. Nothing that a body throws ends it.
 */
final class Slot implements Runnable {

	private static final Log logger = LogFactory.getLog(Slot.class);

	private static final Duration AFTER_UNFORESEEN = Duration.ofSeconds(1);

	private final String lane;

	private final RequestPlanner planner;

	private final WaitingRoom room;

	private final QueueCalls calls;

	private final WorkerStop stop;

	private final HeldRuns runs;

	private final JobRunner runner;

	private final ThreadWatch watch;

	private final Deque<HeldRun> pending = new ArrayDeque<>();

	private List<EndedRun> ended = new ArrayList<>();

	private boolean poll;

	Slot(String lane, RequestPlanner planner, WaitingRoom room, QueueCalls calls, WorkerStop stop, HeldRuns runs,
			JobRunner runner, ThreadWatch watch) {
		this.lane = lane;
		this.planner = planner;
		this.room = room;
		this.calls = calls;
		this.stop = stop;
		this.runs = runs;
		this.runner = runner;
		this.watch = watch;
	}

	@Override
	public void run() {
		try {
			work();
		}
		finally {
			this.watch.ends();
		}
	}

	private void work() {
		this.poll = await();
		while (!this.stop.isStopping() || hasWork()) {
			try {
				runPending();
				settleAndTake();
			}
			catch (Throwable ex) {
				logger.error("A worker failed in an unforeseen way and goes on: report this as a defect", ex);
				this.stop.pause(AFTER_UNFORESEEN);
			}
		}
	}

	private boolean await() {
		this.watch.does(Doing.WAIT);
		boolean look = this.room.await(this);
		this.watch.does(Doing.WORK);
		return look;
	}

	private boolean hasWork() {
		return !this.ended.isEmpty() || !isEmpty();
	}

	private synchronized boolean isEmpty() {
		return this.pending.isEmpty();
	}

	private synchronized @Nullable HeldRun next() {
		return this.pending.poll();
	}

	ThreadWatch watch() {
		return this.watch;
	}

	/**
	 * Take the jobs away that have not been started.
	 */
	synchronized List<HeldRun> takePending() {
		List<HeldRun> taken = List.copyOf(this.pending);
		this.pending.clear();
		return taken;
	}

	private void runPending() {
		for (HeldRun run = next(); run != null; run = next()) {
			this.watch.does(Doing.BODY);
			this.ended.add(run.ended(end(run)));
		}
		this.watch.does(Doing.WORK);
	}

	private RunEnd end(HeldRun run) {
		if (this.stop.isStopping() || !run.mayStart()) {
			return RunEnd.returned(run.job());
		}
		try {
			return this.runner.run(run);
		}
		catch (Throwable ex) {
			logger.error("Job " + run.job().record().id() + " failed in an unforeseen way: report this as a defect",
					ex);
			return this.runner.failedUnforeseen(run.job(), ex);
		}
	}

	private void settleAndTake() {
		List<EndedRun> settled = this.ended;
		settled.forEach((run) -> this.planner.ended(run.run().job().record().queue()));
		Plan plan = this.stop.isStopping() ? null : this.planner.plan(this.lane, this.poll);
		Answer answer = null;
		if (plan != null || !settled.isEmpty()) {
			answer = this.calls.send(settled.stream().map(EndedRun::end).toList(),
					(plan != null) ? plan.request() : null, () -> settled.stream().allMatch(EndedRun::isHopeless));
			this.ended = new ArrayList<>();
			this.runs.end(settled, (answer != null) ? answer.ends() : List.of());
		}
		Reservation reservation = (answer != null) ? answer.reservation() : null;
		if (answer == null || plan == null || reservation == null) {
			this.poll = await();
			return;
		}
		take(plan, reservation, answer.sentAt());
	}

	private void take(Plan plan, Reservation reservation, long sentAt) {
		boolean more = this.planner.answered(plan, reservation);
		this.room.onLooked(plan.all(), reservation.next(), sentAt);
		if (!reservation.jobs().isEmpty()) {
			begin(reservation.jobs(), sentAt);
			this.poll = false;
			this.room.onWork(this, more);
		}
		else {
			// What a bound has kept from a reply may be in any queue, also in one that
			// had nothing just now.
			this.poll = reservation.cutShort() || await();
		}
	}

	private void begin(List<ReservedJob> jobs, long sentAt) {
		for (ReservedJob job : jobs) {
			HeldRun run = this.runs.begin(job, sentAt);
			synchronized (this) {
				this.pending.add(run);
			}
		}
	}

}
