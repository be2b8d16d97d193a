package io.locket.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.queue.JobRecord;
import io.locket.queue.RunEnd;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.worker.CallerRun;
import io.locket.worker.CallerWorker;

/**
 * Runs jobs until nothing is ready any more. A job that no bean here can run goes back
 * with a delay, and is no run.
 */
final class Drain {

	/**
	 * How many runs are too many beside those of the jobs that were there before.
	 */
	private static final int TOO_MANY = 1000;

	private static final int TOLD = 5;

	private final InMemoryJobQueue queue;

	private final CallerWorker worker;

	private final QueuePlan plan;

	private final List<String> asked;

	private final int limit;

	private final List<RanJob> runs = new ArrayList<>();

	Drain(InMemoryJobQueue queue, CallerWorker worker, QueuePlan plan, List<String> asked, int known) {
		this.queue = queue;
		this.worker = worker;
		this.plan = plan;
		this.asked = asked;
		this.limit = known + TOO_MANY;
	}

	DrainedJobs run() {
		for (Optional<CallerRun> run = next(); run.isPresent(); run = next()) {
			if (run.get().kind() != RunEnd.Kind.DEFER) {
				this.runs.add(ran(run.get()));
			}
			if (this.runs.size() == this.limit) {
				throw endless();
			}
		}
		return new DrainedJobs(this.runs);
	}

	private Optional<CallerRun> next() {
		return this.worker.runNext(this.plan.queues(this.asked));
	}

	private RanJob ran(CallerRun run) {
		JobRecord job = run.job();
		return new RanJob(job.id(), job.job(), job.arguments(), job.queue(), job.attempt() + 1, run.result().state(),
				run.result().counted(), run.failure());
	}

	private IllegalStateException endless() {
		return new IllegalStateException("There is no end after " + this.limit
				+ " runs. Does a job enqueue itself, or lose its lease each time? The last runs were\n"
				+ RanJob.lines(this.runs.subList(this.limit - TOLD, this.limit)) + "\nand still to run are "
				+ this.queue.queues().stream().map(this.queue::counts).toList());
	}

}
