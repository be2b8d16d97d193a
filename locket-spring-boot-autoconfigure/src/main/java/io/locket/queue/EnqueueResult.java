package io.locket.queue;

import java.util.Optional;

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
	 * The job that waits has taken the arguments.
	 *
	 * @param id the id of the job that waits
	 */
	record Replaced(String id) implements EnqueueResult {

	}

}
