package io.locket.schedule;

import io.locket.queue.EnqueueResult;

/**
 * Result of a firing.
 */
public sealed interface FiringResult {

	/**
	 * It has fired, now or at an earlier request.
	 *
	 * @param result the result of enqueuing its job; a duplicate settles it as well
	 */
	record Fired(EnqueueResult result) implements FiringResult {

	}

	/**
	 * It has not fired.
	 */
	enum Refused implements FiringResult {

		/**
		 * The caller does not lead.
		 */
		NOT_LEADER,

		/**
		 * Its time has not come, by the clock of the store.
		 */
		EARLY,

		/**
		 * It is too late, so it was missed.
		 */
		LATE,

		/**
		 * A later time of the schedule has fired, possibly after this one; or the
		 * schedule was put, changed or resumed since. It never fires from now on.
		 */
		PAST,

		/**
		 * The schedule does not exist in that revision, is disabled or paused, or has
		 * ended; or the store has lost firings that the leader knows.
		 */
		CHANGED

	}

}
