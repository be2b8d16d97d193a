package io.locket.job;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import io.locket.DuplicateJobException;
import io.locket.queue.EnqueueResult;
import io.locket.queue.NewJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The jobs that wait for one transaction. They are enqueued when it has completed and not
 * when it has just committed, so that those that other callbacks enqueue after the commit
 * are among them. Nobody may be looking at the stages: what fails is logged, without
 * arguments. Thread-safe.
 */
final class CommittedJobs implements TransactionSynchronization {

	private static final Log logger = LogFactory.getLog(CommittedJobs.class);

	/**
	 * Before the leases of the transaction are released.
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
	 * Return whether this thread has a transaction open that others can be told the end
	 * of.
	 * @return {@code false} if there is none, or if it has completed
	 */
	static boolean canWait() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	/**
	 * Return the jobs of the transaction that is open, and not suspended.
	 * @param enqueuer enqueues them
	 * @return the jobs, which may be none yet
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
	 * Have a job enqueued after the commit.
	 * @param draft the job
	 * @param raising whether a duplicate fails its stage
	 * @return its provisional id and the stage that gets the answer
	 */
	synchronized EnqueueResult.Deferred add(JobDraft draft, boolean raising) {
		Waiting job = new Waiting(draft.job(), raising, new CompletableFuture<>());
		if (this.completed) {
			job.cancel("has completed meanwhile");
		}
		else {
			this.jobs.add(job);
		}
		return new EnqueueResult.Deferred(draft.job().id(), job.result());
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
	 * A savepoint that nobody has told of is older than the first job.
	 */
	@Override
	public synchronized void savepointRollback(Object savepoint) {
		List<Waiting> undone = this.jobs.subList(this.savepoints.getOrDefault(savepoint, 0), this.jobs.size());
		undone.forEach((job) -> job.cancel("was rolled back to a savepoint"));
		undone.clear();
	}

	@Override
	public void afterCompletion(int status) {
		List<Waiting> all = complete();
		if (status == STATUS_ROLLED_BACK) {
			all.forEach((job) -> job.cancel("was rolled back"));
			return;
		}
		if (status != STATUS_COMMITTED) {
			fail(all, "The outcome of the transaction is not known, so that its jobs are not enqueued");
			return;
		}
		for (int from = 0; from < all.size(); from += JobBatch.STEP) {
			List<Waiting> step = all.subList(from, Math.min(from + JobBatch.STEP, all.size()));
			if (!send(step)) {
				fail(all.subList(from + step.size(), all.size()),
						"After the commit the store gave no answer to the jobs before these, so that they are not"
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
			results = this.enqueuer.send(names(step));
		}
		catch (RuntimeException | Error ex) {
			logger.error(
					"After the commit it is not known whether these jobs are enqueued; enqueue them again, with these ids: "
							+ names(step),
					ex);
			step.forEach((job) -> job.result().completeExceptionally(ex));
			return false;
		}
		for (int i = 0; i < results.size(); i++) {
			step.get(i).answer(results.get(i));
		}
		return true;
	}

	/**
	 * The log is all that may be left of the jobs: its lines are not to be so long that
	 * something cuts them.
	 */
	private static void fail(List<Waiting> jobs, String reason) {
		for (int from = 0; from < jobs.size(); from += JobBatch.STEP) {
			logger.error(reason + "; enqueue these again if their data is there: "
					+ names(jobs.subList(from, Math.min(from + JobBatch.STEP, jobs.size()))));
		}
		jobs.forEach((job) -> job.result().completeExceptionally(new IllegalStateException(reason)));
	}

	private static List<NewJob> names(List<Waiting> jobs) {
		return jobs.stream().map(Waiting::job).toList();
	}

	/**
	 * A job that waits.
	 *
	 * @param job the job
	 * @param raising whether a duplicate fails the stage
	 * @param result gets the answer
	 */
	private record Waiting(NewJob job, boolean raising, CompletableFuture<EnqueueResult> result) {

		void cancel(String reason) {
			this.result.completeExceptionally(new CancellationException(
					"The transaction of " + this.job + " " + reason + ": it is not enqueued"));
		}

		void answer(EnqueueResult answer) {
			DuplicateJobException duplicate = this.raising ? JobEnqueuer.duplicate(this.job, answer) : null;
			if (duplicate == null) {
				this.result.complete(answer);
				return;
			}
			logger.warn("Not enqueued after the commit, since another job of its key is there: " + this.job
					+ ". See whether that one does its work");
			this.result.completeExceptionally(duplicate);
		}

	}

}
