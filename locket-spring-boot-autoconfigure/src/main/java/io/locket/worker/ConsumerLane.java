package io.locket.worker;

import java.util.Objects;
import java.util.function.LongSupplier;

import io.locket.queue.JobQueue;
import io.locket.queue.Reservation;
import io.locket.worker.RequestPlanner.Plan;
import org.jspecify.annotations.Nullable;

/**
 * One line of requests of a consumer: a request that was not answered is repeated as it
 * is before there is a next one. Used by one thread at a time.
 */
final class ConsumerLane {

	private final String name;

	private @Nullable Plan unanswered;

	private long sentAt;

	ConsumerLane(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	boolean isUnanswered() {
		return this.unanswered != null;
	}

	/**
	 * Ask for a job.
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	Taking take(JobQueue queue, RequestPlanner planner, LongSupplier nanoTime) {
		Plan plan = this.unanswered;
		if (plan == null) {
			plan = Objects.requireNonNull(planner.plan(this.name, true), "A poll has always something to ask");
			this.sentAt = nanoTime.getAsLong();
			this.unanswered = plan;
		}
		Reservation reservation = queue.reserve(plan.request());
		this.unanswered = null;
		boolean more = planner.answered(plan, reservation);
		return new Taking(reservation, more, this.sentAt);
	}

	/**
	 * An answer.
	 *
	 * @param reservation what was handed out
	 * @param more whether another request may find something, too
	 * @param sentAt when it was first asked for, by the monotonic clock
	 */
	record Taking(Reservation reservation, boolean more, long sentAt) {

	}

}
