package io.locket.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Result of enqueuing a job. A job is never dropped silently.
 */
public sealed interface EnqueueResult {

	/**
	 * Returns the id of the job that this result names: the accepted job, the waiting job
	 * that has taken the arguments, or the existing job of a duplicate. The existing job
	 * may have ended. It is another job if the id of the call was used before.
	 * @return the id, or empty if no job is known: the call was refused, waits for its
	 * transaction, or is the duplicate of a direct call
	 */
	default Optional<String> jobId() {
		return Optional.empty();
	}

	/**
	 * The job is in the queue.
	 *
	 * @param id its id
	 */
	record Accepted(String id) implements EnqueueResult {

		@Override
		public Optional<String> jobId() {
			return Optional.of(this.id);
		}

	}

	/**
	 * The job is not in the queue, because another job of its key exists, or because its
	 * id was used before with another name or other arguments.
	 *
	 * @param of the id of the existing job, or {@code null} if a direct call has claimed
	 * the period
	 * @param state its state, or {@code null} if a direct call has claimed the period or
	 * the job is no longer known
	 */
	record Duplicate(@Nullable String of, @Nullable JobState state) implements EnqueueResult {

		/**
		 * Returns the id of the existing job.
		 * @return the id, or empty if a direct call has claimed the period
		 */
		public Optional<String> existing() {
			return Optional.ofNullable(this.of);
		}

		@Override
		public Optional<String> jobId() {
			return existing();
		}

	}

	/**
	 * The job is enqueued after the open transaction commits, and not at all if it rolls
	 * back. Returned by {@code Jobs}, never by the queue itself.
	 *
	 * @param id the id of the job if it is accepted
	 * @param result the result of the queue. It completes on the thread that ends the
	 * transaction. Do not block on it inside the transaction: it completes only after the
	 * commit. Dependent actions need a transaction of their own. A rollback cancels it.
	 * It fails with a {@link io.locket.DuplicateJobException} where a single call would
	 * have thrown one; with a {@link QueueUnavailableException} if the store did not
	 * reply after the commit; and with an {@link IllegalStateException} if the job was
	 * not sent because the store did not reply before the commit or the outcome of the
	 * transaction is unknown
	 */
	record Deferred(String id, CompletionStage<EnqueueResult> result) implements EnqueueResult {

		/**
		 * Returns the id, without the result, which may not be there yet.
		 */
		@Override
		public String toString() {
			return "Deferred[id=" + this.id + "]";
		}

	}

	/**
	 * The job is not in the queue, because a guard of the application refused it.
	 * Returned by {@code Jobs} and {@code Schedules}, never by the queue itself.
	 *
	 * @param reason the reason that the guard has given
	 */
	record Refused(String reason) implements EnqueueResult {

	}

	/**
	 * The waiting job has taken the new arguments.
	 *
	 * @param id the id of the waiting job
	 */
	record Replaced(String id) implements EnqueueResult {

		@Override
		public Optional<String> jobId() {
			return Optional.of(this.id);
		}

	}

}
