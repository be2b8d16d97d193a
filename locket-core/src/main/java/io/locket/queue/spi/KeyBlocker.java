package io.locket.queue.spi;

import io.locket.JobState;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Job or holder that blocks a key. Immutable.
 *
 * @param id the id of the queued job, or {@code null} for a direct call or a foreign
 * holder
 * @param state the state of the queued job, or {@code null}, also if its claim of the
 * period outlives its record, or if only a later version of Locket can read its record
 * @param queue its queue, or {@code null}
 * @param position the number of jobs before it in its queue, or {@link #NO_POSITION} if
 * it is not ready or the number is unknown
 * @param holder the holder of the key lease, or the direct call that has claimed the key,
 * or {@code null} if there is none
 */
public record KeyBlocker(@Nullable String id, @Nullable JobState state, @Nullable String queue, long position,
		@Nullable LeaseHolder holder) {

	/**
	 * Position of a job that is not ready, or whose position is unknown.
	 */
	public static final long NO_POSITION = -1;

	/**
	 * Creates the blocker of a key that a queued job blocks.
	 * @param id the id of the job
	 * @param state its state
	 * @param queue its queue
	 * @return the blocker, without a position and a holder
	 */
	public static KeyBlocker ofJob(String id, JobState state, String queue) {
		return new KeyBlocker(id, state, queue, NO_POSITION, null);
	}

	/**
	 * Creates the blocker of a key that no queued job blocks.
	 * @param holder the holder of the key
	 * @return the blocker
	 */
	public static KeyBlocker ofHolder(LeaseHolder holder) {
		return new KeyBlocker(null, null, null, NO_POSITION, holder);
	}

}
