package io.locket.queue;

import io.locket.JobState;
import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps a key from others. Immutable.
 *
 * @param id the id of the queued job, or {@code null} if it is a direct call or not
 * Locket's
 * @param state the state of the queued job, or {@code null}, also if the period that it
 * has claimed outlives what is known of it
 * @param queue its queue, or {@code null}
 * @param position how many jobs of its queue go before it, if it is ready and that is
 * known, and otherwise -1
 * @param holder who leases the key, or which direct call has claimed it, or {@code null}
 * if nobody does
 */
public record KeyOccupant(@Nullable String id, @Nullable JobState state, @Nullable String queue, long position,
		@Nullable LeaseHolder holder) {

}
