package io.locket.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job that was to be enqueued. Nothing is ever dropped without telling.
 */
public sealed interface EnqueueResult {

	/**
	 * The job is in the queue.
	 *
	 * @param id its id
	 */
	record Accepted(String id) implements EnqueueResult {

	}

	/**
	 * The job is not in the queue, since another one of its key is there.
	 *
	 * @param of the id of the job that is there, or {@code null} if a direct call has
	 * claimed the period
	 * @param state its state, or {@code null} if a direct call has claimed the period or
	 * the job is no longer known
	 */
	record Duplicate(@Nullable String of, @Nullable JobState state) implements EnqueueResult {

		/**
		 * Return the id of the job that is there.
		 * @return the id, or empty if a direct call has claimed the period
		 */
		public Optional<String> existing() {
			return Optional.ofNullable(this.of);
		}

	}

	/**
	 * The job is enqueued after the commit of the transaction that is open, and not at
	 * all if that is rolled back. Told by {@code Jobs}, never by the queue itself.
	 *
	 * @param id the id that it gets if it is accepted
	 * @param result the answer of the queue. It comes on the thread that ends the
	 * transaction, which must not wait for it before; what is done with it there needs a
	 * transaction of its own. A rollback cancels it; it fails with a
	 * {@link io.locket.DuplicateJobException} where a single call would have thrown one,
	 * with a {@link QueueUnavailableException} if the store gave no answer after the
	 * commit, and with an {@link IllegalStateException} if the job was not sent since the
	 * store gave no answer before it or the outcome of the transaction is not known
	 */
	record Deferred(String id, CompletionStage<EnqueueResult> result) implements EnqueueResult {

	}

	/**
	 * The job that waits has taken the arguments.
	 *
	 * @param id the id of the job that waits
	 */
	record Replaced(String id) implements EnqueueResult {

	}

}
