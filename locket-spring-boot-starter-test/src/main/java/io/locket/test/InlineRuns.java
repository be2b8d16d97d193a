package io.locket.test;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.locket.JobState;
import io.locket.queue.NewJob;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.worker.CallerRun;
import io.locket.worker.CallerWorker;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on the threads that enqueue them. What a body enqueues runs inside it, or
 * after it if it has the key. When the outermost enqueue of a thread has ended, nothing
 * is left of what has run.
 */
final class InlineRuns {

	private final ThreadLocal<@Nullable List<String>> ran = new ThreadLocal<>();

	private final InMemoryJobQueue queue;

	private final InMemoryQueueDriver driver;

	private final CallerWorker worker;

	private final QueuePlan plan;

	InlineRuns(InMemoryJobQueue queue, InMemoryQueueDriver driver, CallerWorker worker, QueuePlan plan) {
		this.queue = queue;
		this.driver = driver;
		this.worker = worker;
		this.plan = plan;
	}

	/**
	 * Run a job that was accepted, unless it is due later. After a commit, transactions
	 * of its body are its own.
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
		for (Optional<CallerRun> run = this.worker.runNext(queues); run
			.isPresent(); run = this.worker.runNext(queues)) {
			ids.add(run.get().job().id());
			Throwable failure = run.get().failure();
			if (failure != null) {
				fail(run.get(), failure);
			}
		}
	}

	/**
	 * No other attempt follows: the failure is the caller's.
	 */
	private void fail(CallerRun run, Throwable failure) {
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
