package io.locket.test;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.locket.queue.JobRecord;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.consumer.InlineRun;
import io.locket.worker.consumer.InlineWorker;

/**
 * Runs jobs until none is ready. A job without a bean here is deferred to a worker that
 * has one, and does not count as a run.
 */
final class Drain {

	/**
	 * The maximum number of runs in addition to the jobs that existed at the start.
	 */
	private static final int TOO_MANY = 1000;

	private static final int REPORTED = 5;

	private static final Set<RunEnd.Kind> SET_ASIDE = EnumSet.of(RunEnd.Kind.DEFER, RunEnd.Kind.UNKNOWN);

	private final InMemoryJobQueue queue;

	private final InlineWorker worker;

	private final QueuePlan plan;

	private final List<String> queueNames;

	private final int limit;

	private final List<RanJob> runs = new ArrayList<>();

	Drain(InMemoryJobQueue queue, InlineWorker worker, QueuePlan plan, List<String> queueNames, int known) {
		this.queue = queue;
		this.worker = worker;
		this.plan = plan;
		this.queueNames = queueNames;
		this.limit = known + TOO_MANY;
	}

	DrainedJobs run() {
		for (Optional<InlineRun> run = next(); run.isPresent(); run = next()) {
			if (!SET_ASIDE.contains(run.get().kind())) {
				this.runs.add(ran(run.get()));
			}
			if (this.runs.size() == this.limit) {
				throw endless();
			}
		}
		return new DrainedJobs(this.runs);
	}

	private Optional<InlineRun> next() {
		return this.worker.runNext(this.plan.queues(this.queueNames));
	}

	private RanJob ran(InlineRun run) {
		JobRecord job = run.job();
		return new RanJob(job.id(), job.job(), job.arguments(), job.queue(), job.attempt() + 1, run.result().state(),
				run.result().counted(), run.failure());
	}

	private IllegalStateException endless() {
		return new IllegalStateException("No end after " + this.limit
				+ " runs. Check whether a job enqueues itself, or loses its lease each time. The last runs were\n"
				+ RanJob.lines(this.runs.subList(this.limit - REPORTED, this.limit)) + "\nStill waiting are "
				+ this.queue.queues().stream().map(this.queue::counts).toList());
	}

}
