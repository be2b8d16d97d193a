package io.locket.queue.redis.turn;

import java.util.List;

import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Runs that a worker thread ends and jobs that it requests, as {@code turn.lua} or
 * {@code handover.lua} can serve them.
 *
 * @param ends the runs that end
 * @param next the request, or {@code null} for none
 */
public record PlainTurn(List<PlainRun> ends, @Nullable ReservationRequest next) {

	/**
	 * Returns whether one call can serve this turn and another one. Both must request
	 * jobs from the same queues, with the same limits and in the same order.
	 */
	boolean fits(PlainTurn other) {
		return this.next != null && other.next != null && slots() > 0 && other.slots() > 0
				&& this.next.queues().equals(other.next.queues())
				&& this.next.leavesOut().equals(other.next.leavesOut());
	}

	/**
	 * Returns the number of jobs that are requested.
	 */
	int slots() {
		return (this.next != null) ? this.next.slots() : 0;
	}

	/**
	 * Returns the number of runs that end or of jobs that are requested, whichever is
	 * larger.
	 */
	int size() {
		return Math.max(this.ends.size(), slots());
	}

}
