package io.locket.worker.consumer;

import java.util.Objects;
import java.util.function.LongSupplier;

import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.Reservation;
import io.locket.worker.reservation.RequestPlanner;
import io.locket.worker.reservation.RequestPlanner.Plan;
import org.jspecify.annotations.Nullable;

/**
 * Sequence of requests of a consumer. A request without a reply is repeated unchanged
 * before the next one. Used by one thread at a time.
 */
final class ConsumerPoller {

	private final String name;

	private @Nullable Plan openPlan;

	private long sentAt;

	ConsumerPoller(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	boolean hasOpenRequest() {
		return this.openPlan != null;
	}

	/**
	 * Requests a job.
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	Taking take(JobQueue queue, RequestPlanner planner, LongSupplier nanoTime) {
		Plan plan = this.openPlan;
		if (plan == null) {
			plan = Objects.requireNonNull(planner.plan(this.name, true, 1), "A poll always has a request");
			this.sentAt = nanoTime.getAsLong();
			this.openPlan = plan;
		}
		Reservation reservation = queue.reserve(plan.request());
		this.openPlan = null;
		boolean more = planner.onReply(plan, reservation);
		return new Taking(reservation, more, this.sentAt);
	}

	/**
	 * Reply to a request.
	 *
	 * @param reservation the reservation
	 * @param more whether another request may find work, too
	 * @param sentAt the time of the first sending, by the monotonic clock
	 */
	record Taking(Reservation reservation, boolean more, long sentAt) {

	}

}
