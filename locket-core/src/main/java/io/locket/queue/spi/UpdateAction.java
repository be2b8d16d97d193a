package io.locket.queue.spi;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.locket.queue.QueueNames;
import io.locket.text.NameRule;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Update of existing jobs. Immutable.
 *
 * @param kind the kind of update
 * @param queue the queue to move to, or {@code null} if nothing is moved
 * @param at the due time, to the millisecond, or {@code null} if nothing is rescheduled
 * @param id the id of one call, made by the caller. A repetition with the same id and
 * jobs returns the first results. If the first call updated no job, the repetition is
 * executed
 */
public record UpdateAction(Kind kind, @Nullable String queue, @Nullable Instant at, String id) {

	/**
	 * Earliest due time that a record can store: zero stands for none.
	 */
	private static final Instant FIRST = Instant.ofEpochMilli(1);

	/**
	 * Latest due time that a record can store.
	 */
	private static final Instant LAST = Instant.ofEpochMilli(99_999_999_999_999L);

	public UpdateAction {
		NameRule.ID.require("The id of a step", id);
		Assert.isTrue((queue != null) == (kind == Kind.MOVE), "A queue is needed to move jobs, and for nothing else");
		if (queue != null) {
			QueueNames.require(queue);
		}
		Assert.isTrue((at != null) == (kind == Kind.RESCHEDULE),
				"A due time is needed to reschedule jobs, and for nothing else");
		at = (at != null) ? storable(at) : null;
	}

	/**
	 * Creates an update that needs no due time.
	 * @param kind the kind of update
	 * @param queue the queue to move to, or {@code null} if nothing is moved
	 * @param id the id of one call
	 */
	public UpdateAction(Kind kind, @Nullable String queue, String id) {
		this(kind, queue, null, id);
	}

	/**
	 * Returns this update for another call.
	 * @param id the id of that call
	 * @return the update with that id
	 */
	public UpdateAction withId(String id) {
		return new UpdateAction(this.kind, this.queue, this.at, id);
	}

	/**
	 * Truncates a time to milliseconds, within the limits of a store.
	 */
	private static Instant storable(Instant time) {
		if (time.isBefore(FIRST)) {
			return FIRST;
		}
		return time.isAfter(LAST) ? LAST : time.truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Kind of update.
	 */
	public enum Kind {

		/**
		 * Ends a waiting job; flags a running one.
		 */
		CANCEL,

		/**
		 * Moves a waiting job to the end of another queue, in its current state. It keeps
		 * its due time, its key and its ticket.
		 */
		MOVE,

		/**
		 * Makes a scheduled job, or one that waits for a retry, ready at the end of its
		 * queue.
		 */
		RUN_NOW,

		/**
		 * Gives a waiting job another due time.
		 */
		RESCHEDULE,

		/**
		 * Removes a job from the dead letters and keeps it with the ended jobs.
		 */
		DISMISS

	}

}
