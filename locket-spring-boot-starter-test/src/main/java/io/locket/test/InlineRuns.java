package io.locket.test;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.locket.JobState;
import io.locket.RetryReason;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.queue.spi.NewJob;
import io.locket.worker.InlineRun;
import io.locket.worker.InlineWorker;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on the threads that enqueue them. An enqueue runs its job, and then those
 * jobs enqueued by bodies inside it that had to wait, for instance for a key that a body
 * held. It runs no other jobs. Jobs that have run are removed.
 */
final class InlineRuns {

	/**
	 * Maximum number of enqueues that run inside one another. It is reached before the
	 * stack overflows.
	 */
	private static final int MAX_DEPTH = 50;

	/**
	 * The innermost enqueue of a thread.
	 */
	private final ThreadLocal<@Nullable Call> call = new ThreadLocal<>();

	/**
	 * Jobs that run after the current action of a thread.
	 */
	private final ThreadLocal<@Nullable List<NewJob>> later = new ThreadLocal<>();

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
		List<NewJob> jobs = this.later.get();
		if (jobs != null) {
			jobs.add(job);
		}
		else {
			TransactionsAside.run(() -> runCall(job));
		}
	}

	/**
	 * Runs the jobs that an action enqueues on this thread, after the action.
	 * @param action the action
	 * @param failures collects the failures of the jobs
	 */
	void runAfter(Runnable action, Failures failures) {
		List<NewJob> jobs = new ArrayList<>();
		this.later.set(jobs);
		try {
			action.run();
		}
		finally {
			this.later.remove();
		}
		jobs.forEach((job) -> failures.collect(() -> run(job)));
	}

	private void runCall(NewJob job) {
		Call outer = this.call.get();
		int depth = (outer != null) ? outer.depth() + 1 : 1;
		Set<String> ids = new LinkedHashSet<>(Set.of(job.id()));
		this.call.set(new Call(ids, depth));
		try {
			requireDepth(job, depth);
			runAll(ids);
		}
		finally {
			this.call.set(outer);
			ids.forEach(this::remove);
			if (outer != null) {
				ids.stream().filter(this::isWaiting).forEach(outer.ids()::add);
			}
		}
	}

	private void requireDepth(NewJob job, int depth) {
		if (depth > MAX_DEPTH) {
			this.queue.cancel(job.id());
			throw new IllegalStateException("No end after " + MAX_DEPTH + " runs inside one another. Check whether job "
					+ job.job() + job.arguments() + " enqueues itself. LocketTestMode.QUEUED has no such limit");
		}
	}

	/**
	 * Runs jobs until none of them is ready, and throws the first failure.
	 */
	private void runAll(Set<String> ids) {
		List<RanJob> runs = new ArrayList<>();
		RunLimit limit = new RunLimit(this.queue, 0);
		Failures failures = new Failures();
		for (InlineRun run = next(ids); run != null; run = next(ids)) {
			RanJob ran = RanJob.of(run);
			runs.add(ran);
			remove(ran.id());
			failures.collect(() -> fail(ran));
			if (limit.isReached(runs)) {
				IllegalStateException endless = limit.error(runs);
				List.copyOf(ids).forEach(this.queue::cancel);
				throw endless;
			}
		}
		failures.raise();
	}

	private @Nullable InlineRun next(Set<String> ids) {
		return this.worker
			.runNext(this.plan.queues(List.of()), (request) -> this.driver.reserve(request, ids::contains))
			.orElse(null);
	}

	/**
	 * Removes a job that has ended, that has failed and has no further attempt, or that
	 * no process runs.
	 */
	private void remove(String id) {
		this.queue.find(id)
			.filter((job) -> job.state() == JobState.RETRY && job.retryReason() != RetryReason.RESCHEDULED)
			.ifPresent((job) -> this.queue.cancel(id));
		this.driver.forget(id);
	}

	private boolean isWaiting(String id) {
		return this.queue.find(id)
			.filter((job) -> job.state() == JobState.READY || job.state() == JobState.PARKED)
			.isPresent();
	}

	/**
	 * Throws the failure of a run to the caller.
	 */
	private static void fail(RanJob run) {
		Throwable failure = run.failure();
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw new UndeclaredThrowableException(failure, "Job " + run.job() + " failed: " + failure);
		}
	}

	/**
	 * An enqueue that runs jobs.
	 *
	 * @param ids the ids of its jobs
	 * @param depth the number of enqueues that run inside one another, including this one
	 */
	private record Call(Set<String> ids, int depth) {

	}

}
