package io.locket.worker;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of a group: from which queues, in which order, and how many jobs.
 */
final class RequestPlanner {

	private final GroupSettings settings;

	private final String instance;

	private final Map<String, Integer> maxRunning;

	private final ReservationFilters filters;

	private final IdleQueueFilter idle;

	private final QueueSequence sequence;

	private final List<String> queues;

	RequestPlanner(GroupSettings settings, String instance, Map<String, Integer> maxRunning, ReservationFilters filters,
			IdleQueueFilter idle) {
		this.settings = settings;
		this.instance = instance;
		this.maxRunning = maxRunning;
		this.filters = filters;
		this.idle = idle;
		this.sequence = QueueSequence.of(settings);
		this.queues = settings.queueNames();
	}

	/**
	 * Plan the next request of this thread.
	 * @param lane who asks
	 * @param poll whether to ask also those that were idle
	 * @return the plan, or {@code null} if there is nothing to ask for
	 */
	@Nullable Plan plan(String lane, boolean poll) {
		long moment = this.idle.moment();
		List<String> asked = this.sequence.order(this.filters.apply(this.queues, poll));
		if (asked.isEmpty() && !poll) {
			return null;
		}
		List<QueueLimit> limits = asked.stream()
			.map((queue) -> new QueueLimit(queue, this.maxRunning.getOrDefault(queue, 0)))
			.toList();
		return new Plan(
				new ReservationRequest(UUID.randomUUID().toString(), lane, this.instance,
						Thread.currentThread().getName(), limits, asked.isEmpty() ? 0 : this.settings.batch()),
				asked, poll || asked.size() == this.queues.size(), moment);
	}

	/**
	 * Take notice of an answer.
	 * @return whether another request may find work, too
	 */
	boolean answered(Plan plan, Reservation reservation) {
		this.idle.onAnswer(plan.moment(), plan.queues(), reservation.idle());
		return reservation.cutShort() || !reservation.idle().containsAll(plan.queues());
	}

	/**
	 * A run of a queue has ended, so that it may run another one.
	 */
	void ended(String queue) {
		this.idle.onNews(queue);
	}

	/**
	 * A request and what it was made of.
	 *
	 * @param request the request
	 * @param queues the queues that it asks
	 * @param all whether these are all that may be asked
	 * @param moment the moment before it
	 */
	record Plan(ReservationRequest request, List<String> queues, boolean all, long moment) {

	}

}
