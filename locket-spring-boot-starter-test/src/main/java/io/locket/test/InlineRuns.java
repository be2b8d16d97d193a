package io.locket.test;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.JobState;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.queue.spi.NewJob;
import io.locket.worker.consumer.InlineRun;
import io.locket.worker.consumer.InlineWorker;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on the threads that enqueue them. A job that a body enqueues runs inside that
 * body, or after it if the body holds the key. When the outermost call of a thread ends,
 * the records of its runs are removed.
 */
final class InlineRuns {

	private final ThreadLocal<@Nullable List<String>> ran = new ThreadLocal<>();

	private final InMemoryJobQueue queue;

	private final InMemoryQueueDriver driver;

	private final InlineWorker worker;

	private final QueuePlan plan;

	InlineRuns(InMemoryJobQueue queue, InMemoryQueueDriver driver, InlineWorker worker, QueuePlan plan) {
		this.queue = queue;
		this.driver = driver;
		this.worker = worker;
		this.plan = plan;
	}

	/**
	 * Runs an accepted job, unless it is due later. After a commit, the body has
	 * transactions of its own.
	 */
	void run(NewJob job) {
		TransactionsAside.run(() -> runAccepted(job));
	}

	private void runAccepted(NewJob job) {
		List<String> outer = this.ran.get();
		if (outer != null) {
			run(List.of(job.queue()), outer);
			return;
		}
		List<String> ids = new ArrayList<>();
		this.ran.set(ids);
		try {
			run(List.of(job.queue()), ids);
			run(this.plan.queues(List.of()), ids);
		}
		finally {
			this.ran.remove();
			ids.forEach(this.driver::forget);
		}
	}

	private void run(List<String> queues, List<String> ids) {
		for (Optional<InlineRun> run = this.worker.runNext(queues); run
			.isPresent(); run = this.worker.runNext(queues)) {
			ids.add(run.get().job().id());
			Throwable failure = run.get().failure();
			if (failure != null) {
				fail(run.get(), failure);
			}
		}
	}

	/**
	 * Throws the failure to the caller, because there is no further attempt.
	 */
	private void fail(InlineRun run, Throwable failure) {
		if (run.result().state() == JobState.RETRY) {
			this.queue.cancel(run.job().id());
		}
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		throw new UndeclaredThrowableException(failure, "Job " + run.job().job() + " failed: " + failure);
	}

}
