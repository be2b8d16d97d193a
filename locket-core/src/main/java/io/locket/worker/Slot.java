package io.locket.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.log.SafeLog;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.QueueCalls.Reply;
import io.locket.worker.ThreadWatch.Activity;
import io.locket.worker.reservation.IdleSlots;
import io.locket.worker.reservation.RequestPlanner;
import io.locket.worker.reservation.RequestPlanner.Plan;
import io.locket.worker.reservation.Wake;
import io.locket.worker.run.HeldRun;
import io.locket.worker.run.HeldRun.EndedRun;
import io.locket.worker.run.HeldRuns;
import io.locket.worker.run.JobRunner;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Worker thread of a group. It runs the jobs that it has taken, then ends them and takes
 * the next ones with one call. Errors of bodies do not end it.
 */
final class Slot implements Runnable {

	private static final Log logger = LogFactory.getLog(Slot.class);

	private static final Duration AFTER_UNFORESEEN = Duration.ofSeconds(1);

	private static final String UNFORESEEN = "The failure of the body could not be handled. The log of the worker may"
			+ " have its cause";

	private final String poller;

	private final RequestPlanner planner;

	private final IdleSlots idleSlots;

	private final WorkerLoop loop;

	private final HeldRuns runs;

	private final JobRunner runner;

	private final SlotBatch batch;

	/**
	 * Jobs that have ended, from the beginning of the call that settles them to its end.
	 * The list does not change.
	 */
	private volatile List<EndedRun> settling = List.of();

	/**
	 * Whether the next request is for all queues.
	 */
	private boolean pollDue;

	Slot(String poller, RequestPlanner planner, IdleSlots idleSlots, WorkerLoop loop, HeldRuns runs, JobRunner runner,
			SlotBatch batch) {
		this.poller = poller;
		this.planner = planner;
		this.idleSlots = idleSlots;
		this.loop = loop;
		this.runs = runs;
		this.runner = runner;
		this.batch = batch;
	}

	@Override
	public void run() {
		this.loop.run(this::work);
	}

	private void work() {
		this.pollDue = await();
		while (!this.loop.stop().isStopping() || hasWork()) {
			try {
				runPending();
				settleAndTake();
			}
			catch (Throwable ex) {
				SafeLog
					.write(() -> logger.error("A worker failed unexpectedly and continues. Report this as a bug", ex));
				this.loop.stop().pause(AFTER_UNFORESEEN);
			}
		}
	}

	/**
	 * Waits until this slot has to request jobs.
	 * @return whether a poll is due
	 */
	private boolean await() {
		this.loop.watch().begin(Activity.WAIT);
		Wake wake = this.idleSlots.await(this);
		this.loop.watch().begin(Activity.WORK);
		return wake == Wake.POLL_DUE;
	}

	private boolean hasWork() {
		return !this.settling.isEmpty() || !this.batch.isEmpty();
	}

	ThreadWatch watch() {
		return this.loop.watch();
	}

	/**
	 * Returns the jobs that have ended and whose end the queue has not confirmed.
	 */
	List<EndedRun> settling() {
		return this.settling;
	}

	/**
	 * Returns the jobs of this slot that have not started, or are not settled.
	 */
	SlotBatch batch() {
		return this.batch;
	}

	private void runPending() {
		for (HeldRun run = this.batch.next(); run != null; run = this.batch.next()) {
			// Counts only if the failure of a body cannot be handled.
			EndedRun ended = run.ended(RunEnd.retry(run.job(), AFTER_UNFORESEEN, UNFORESEEN));
			// Before a body begins, an interrupt was meant for one that has ended.
			Thread.interrupted();
			try {
				this.loop.watch().begin(Activity.BODY);
				ended = run.ended(end(run));
			}
			finally {
				this.batch.addEnded(ended);
			}
		}
		this.loop.watch().begin(Activity.WORK);
	}

	private RunEnd end(HeldRun run) {
		if (this.loop.stop().isStopping() || !run.mayStart()) {
			return RunEnd.returned(run.job());
		}
		try {
			return this.runner.run(run);
		}
		catch (Throwable ex) {
			logger.error("Job " + run.job().record().id() + " failed unexpectedly. Report this as a bug", ex);
			return this.runner.failedUnforeseen(run.job(), ex);
		}
	}

	private void settleAndTake() {
		List<EndedRun> settled = this.batch.takeEnded();
		settled.addAll(0, this.settling);
		this.settling = settled;
		List<RunEnd> ends = ends(settled);
		Plan plan = this.loop.stop().isStopping() ? null : plan();
		Reply reply = (plan != null || !ends.isEmpty()) ? send(settled, ends, plan) : null;
		Reservation reservation = (reply != null) ? reply.reservation() : null;
		if (reply == null || plan == null || reservation == null) {
			this.pollDue = await();
			return;
		}
		take(plan, reservation, reply.sentAt());
	}

	/**
	 * Returns the ends of runs, and reports their queues to the planner.
	 */
	private List<RunEnd> ends(List<EndedRun> settled) {
		List<RunEnd> ends = new ArrayList<>(settled.size());
		String last = null;
		for (EndedRun run : settled) {
			String queue = run.run().job().record().queue();
			if (!queue.equals(last)) {
				this.planner.ended(queue);
				last = queue;
			}
			ends.add(run.end());
		}
		return ends;
	}

	private @Nullable Reply send(List<EndedRun> settled, List<RunEnd> ends, @Nullable Plan plan) {
		Reply reply = this.loop.calls()
			.send(ends, (plan != null) ? plan.request() : null, () -> settled.stream().allMatch(EndedRun::isHopeless));
		this.settling = List.of();
		this.runs.end(settled, (reply != null) ? reply.ends() : List.of());
		return reply;
	}

	/**
	 * Plans the next request. Notifications may be lost, so a request for all queues is
	 * due from time to time, even if some queues always have jobs.
	 */
	private @Nullable Plan plan() {
		return this.planner.plan(this.poller, this.pollDue || this.idleSlots.isPollDue(), mostJobs());
	}

	/**
	 * Returns the number of jobs to take, only one while another slot is idle.
	 */
	private int mostJobs() {
		int size = this.batch.size();
		return this.idleSlots.isEmpty() ? size : 1;
	}

	private void take(Plan plan, Reservation reservation, long sentAt) {
		boolean more = this.planner.onReply(plan, reservation);
		this.idleSlots.onPolled(plan.all(), reservation.next(), sentAt);
		if (!reservation.jobs().isEmpty()) {
			this.pollDue = false;
			this.idleSlots.onWork(this, more);
			begin(reservation.jobs(), sentAt);
		}
		else {
			// Jobs beyond the bound of a reply may be in any queue, also in one that had
			// nothing before.
			this.pollDue = reservation.cutShort() || await();
		}
	}

	private void begin(List<ReservedJob> jobs, long sentAt) {
		boolean failed = false;
		for (ReservedJob job : jobs) {
			try {
				this.batch.add(this.runs.begin(job, sentAt));
			}
			catch (RuntimeException | Error ex) {
				this.batch.addEnded(new HeldRun(job, null).ended(RunEnd.returned(job)));
				failed = true;
				SafeLog.write(() -> logger
					.error("Job " + job.record().id() + " failed unexpectedly before its body and is returned", ex));
			}
		}
		if (failed) {
			// The next request may take the same job.
			this.loop.stop().pause(AFTER_UNFORESEEN);
		}
	}

}
