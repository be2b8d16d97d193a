package io.locket.queue;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What may be done with jobs that are there. Immutable.
 *
 * @param kind what to do
 * @param queue the queue to move to, or {@code null} if nothing is moved
 * @param id the id of this step, made by the caller: a repetition with the same id is
 * answered as the first one was
 */
public record SteerAction(Kind kind, @Nullable String queue, String id) {

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	public SteerAction {
		Assert.isTrue(ID.matcher(id).matches(),
				() -> "The id of a step has 1 to 64 letters, digits, '_', '.' and '-', and is '" + id + "'");
		Assert.isTrue((queue != null) == (kind == Kind.MOVE), "A queue is needed to move jobs, and for nothing else");
		if (queue != null) {
			QueueNames.require(queue);
		}
	}

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
