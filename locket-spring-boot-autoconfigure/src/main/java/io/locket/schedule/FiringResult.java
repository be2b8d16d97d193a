package io.locket.schedule;

import io.locket.queue.EnqueueResult;

/**
 * What became of a firing.
 */
public sealed interface FiringResult {

	/**
	 * It has fired, now or when it was asked for before.
	 *
	 * @param result what became of its job. A duplicate settles it as well
	 */
	record Fired(EnqueueResult result) implements FiringResult {

	}

	/**
	 * It has not fired.
	 */
	enum Refused implements FiringResult {

		/**
		 * Whoever asked does not lead.
		 */
		NOT_LEADER,

		/**
		 * Its time has not come, by the clock of the store.
		 */
		EARLY,

		/**
		 * It was missed meanwhile: it may not fire that late any more.
		 */
		LATE,

		/**
		 * A later time of the schedule has fired, and maybe this one before it; or the
		 * schedule was put, changed or resumed since. It never fires from now on.
		 */
		PAST,

		/**
		 * The schedule is not there in that revision, or is disabled or paused, or its
		 * process has ended.
		 */
		CHANGED

	}

}
