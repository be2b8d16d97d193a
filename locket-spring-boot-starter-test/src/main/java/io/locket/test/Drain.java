package io.locket.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.queue.spi.RunEnd;
import io.locket.worker.InlineRun;
import io.locket.worker.InlineWorker;

/**
 * Runs jobs until none is ready. A job without a bean here is set aside for a worker that
 * has one, and does not count as a run.
 */
final class Drain {

	private final InlineWorker worker;

	private final InMemoryQueueDriver driver;

	private final QueuePlan plan;

	private final List<String> queueNames;

	private final RunLimit limit;

	private final List<RanJob> runs = new ArrayList<>();

	Drain(InlineWorker worker, InMemoryQueueDriver driver, QueuePlan plan, List<String> queueNames, RunLimit limit) {
		this.worker = worker;
		this.driver = driver;
		this.plan = plan;
		this.queueNames = queueNames;
		this.limit = limit;
	}

	DrainedJobs run() {
		for (Optional<InlineRun> run = next(); run.isPresent(); run = next()) {
			if (run.get().kind() != RunEnd.Kind.UNKNOWN) {
				this.runs.add(RanJob.of(run.get()));
			}
			if (this.limit.isReached(this.runs)) {
				throw this.limit.error(this.runs);
			}
		}
		return new DrainedJobs(this.runs,
				this.driver.jobs().stream().filter((job) -> job.state().isWaiting()).toList());
	}

	private Optional<InlineRun> next() {
		return this.worker.runNext(this.plan.queues(this.queueNames));
	}

}
