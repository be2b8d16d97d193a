package io.locket.job;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import io.locket.DuplicateJobException;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Jobs that wait for one transaction. They are enqueued after its completion and not in
 * the commit callback, so that jobs that other callbacks enqueue after the commit are
 * included. The application may ignore the stages, so failures are logged, without
 * arguments. Thread-safe.
 */
final class CommittedJobs implements TransactionSynchronization {

	private static final Log logger = LogFactory.getLog(CommittedJobs.class);

	/**
	 * Order before the release of the leases of the transaction.
	 */
	private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private final JobEnqueuer enqueuer;

	private final List<Waiting> jobs = new ArrayList<>();

	private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

	private boolean completed;

	private CommittedJobs(JobEnqueuer enqueuer) {
		this.enqueuer = enqueuer;
	}

	/**
	 * Returns whether this thread has an open transaction with synchronization.
	 * @return {@code false} if there is none, or if it has completed
	 */
	static boolean canWait() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	/**
	 * Returns the jobs of the current transaction, which is open and not suspended.
	 * @param enqueuer the enqueuer
	 * @return the jobs, possibly none yet
	 */
	static CommittedJobs current(JobEnqueuer enqueuer) {
		for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
			if (known instanceof CommittedJobs jobs && jobs.enqueuer == enqueuer) {
				return jobs;
			}
		}
		CommittedJobs jobs = new CommittedJobs(enqueuer);
		TransactionSynchronizationManager.registerSynchronization(jobs);
		return jobs;
	}

	/**
	 * Passes the jobs that wait for the current transaction of this thread, in their
	 * order.
	 * @param action receives each job with its provisional result
	 */
	static void forEach(BiConsumer<NewJob, EnqueueResult.Deferred> action) {
		if (canWait()) {
			for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
				if (known instanceof CommittedJobs jobs) {
					jobs.waiting().forEach((job) -> action.accept(job.job(), job.deferred()));
				}
			}
		}
	}

	private synchronized List<Waiting> waiting() {
		return this.completed ? List.of() : List.copyOf(this.jobs);
	}

	/**
	 * Adds a job to be enqueued after the commit.
	 * @param draft the job, whose duplicate completes its stage exceptionally if it
	 * raises
	 * @return its provisional id and the stage of its result
	 */
	synchronized EnqueueResult.Deferred add(JobDraft draft) {
		Waiting job = new Waiting(draft.job(), draft.raising(), new CompletableFuture<>());
		if (this.completed) {
			job.cancel("has completed meanwhile");
		}
		else {
			this.jobs.add(job);
		}
		return job.deferred();
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public synchronized void savepoint(Object savepoint) {
		this.savepoints.put(savepoint, this.jobs.size());
	}

	/**
	 * Cancels the jobs added since the savepoint. An unknown savepoint is older than the
	 * first job. Callbacks of their stages may add other jobs.
	 */
	@Override
	public void savepointRollback(Object savepoint) {
		takeSince(savepoint).forEach((job) -> job.cancel("was rolled back to a savepoint"));
	}

	private synchronized List<Waiting> takeSince(Object savepoint) {
		List<Waiting> since = this.jobs.subList(this.savepoints.getOrDefault(savepoint, 0), this.jobs.size());
		List<Waiting> taken = List.copyOf(since);
		since.clear();
		return taken;
	}

	@Override
	public void afterCompletion(int status) {
		List<Waiting> all = complete();
		if (status == STATUS_ROLLED_BACK) {
			all.forEach((job) -> job.cancel("was rolled back"));
			return;
		}
		if (status != STATUS_COMMITTED) {
			fail(all, "The outcome of the transaction is unknown, so its jobs are not enqueued");
			return;
		}
		int sent = 0;
		for (List<Waiting> step : JobBatch.steps(all, Waiting::job)) {
			sent += step.size();
			if (!send(step)) {
				fail(all.subList(sent, all.size()),
						"After the commit the store did not reply to earlier jobs, so the following jobs are not"
								+ " enqueued");
				return;
			}
		}
	}

	private synchronized List<Waiting> complete() {
		this.completed = true;
		return List.copyOf(this.jobs);
	}

	private boolean send(List<Waiting> step) {
		List<EnqueueResult> results;
		try {
			results = this.enqueuer.send(newJobs(step));
		}
		catch (RuntimeException | Error ex) {
			logger.error(
					"After the commit it is unknown whether these jobs are enqueued. Enqueue them again with the same ids: "
							+ newJobs(step),
					ex);
			step.forEach((job) -> job.result().completeExceptionally(ex));
			return false;
		}
		for (int i = 0; i < results.size(); i++) {
			complete(step.get(i), results.get(i));
		}
		return true;
	}

	/**
	 * Passes a result on. Its failure must not keep other jobs from being enqueued.
	 */
	private static void complete(Waiting job, EnqueueResult result) {
		try {
			job.complete(result);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The result of " + job.job() + " could not be logged", ex);
		}
	}

	/**
	 * Logs jobs that are not enqueued. The log may be the only record of them, so its
	 * lines are kept short enough not to be truncated.
	 */
	private static void fail(List<Waiting> jobs, String reason) {
		for (int from = 0; from < jobs.size(); from += JobBatch.STEP) {
			logger.error(reason + ". Enqueue them again if their data was committed: "
					+ newJobs(jobs.subList(from, Math.min(from + JobBatch.STEP, jobs.size()))));
		}
		jobs.forEach((job) -> job.result().completeExceptionally(new IllegalStateException(reason)));
	}

	private static List<NewJob> newJobs(List<Waiting> jobs) {
		return jobs.stream().map(Waiting::job).toList();
	}

	/**
	 * Job that waits for the transaction.
	 *
	 * @param job the job
	 * @param raising whether a duplicate completes the stage exceptionally
	 * @param result the stage of the result
	 */
	private record Waiting(NewJob job, boolean raising, CompletableFuture<EnqueueResult> result) {

		EnqueueResult.Deferred deferred() {
			return new EnqueueResult.Deferred(this.job.id(), this.result);
		}

		void cancel(String reason) {
			this.result.completeExceptionally(new CancellationException(
					"The transaction of " + this.job + " " + reason + ", so it is not enqueued"));
		}

		void complete(EnqueueResult enqueued) {
			DuplicateJobException duplicate = this.raising ? JobEnqueuer.duplicate(this.job, enqueued) : null;
			if (duplicate == null) {
				this.result.complete(enqueued);
				return;
			}
			this.result.completeExceptionally(duplicate);
			logger.warn("Not enqueued after the commit, because another job of its key exists: " + this.job
					+ ". Check that the other job does its work");
		}

	}

}
