package io.locket.queue;

import org.jspecify.annotations.Nullable;

/**
 * What may be done with jobs that are there. Immutable.
 *
 * @param kind what to do
 * @param queue the queue to move to, or {@code null} if nothing is moved
 */
public record SteerAction(Kind kind, @Nullable String queue) {

	/**
	 * What to do with a job.
	 */
	public enum Kind {

		/**
		 * End it if it waits; flag it if it runs.
		 */
		CANCEL,

		/**
		 * Put it at the end of another queue, in the state that it has, if it waits. It
		 * keeps its due time, its key and its ticket.
		 */
		MOVE,

		/**
		 * Make it ready, at the end of its queue, if it is scheduled or waits for a
		 * retry.
		 */
		RUN_NOW,

		/**
		 * Take it out of the dead letters, and keep it with what has ended.
		 */
		DISMISS

	}

}
