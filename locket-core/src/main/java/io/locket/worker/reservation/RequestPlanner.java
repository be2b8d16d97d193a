package io.locket.worker.reservation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.worker.settings.GroupSettings;
import org.jspecify.annotations.Nullable;

/**
 * Planner of the requests of a group: the queues, their order, and the number of jobs.
 */
public final class RequestPlanner {

	private final String instance;

	private final ReservationFilters filters;

	private final IdleQueueFilter idle;

	private final QueueSequence sequence;

	private final List<String> queues;

	private final Map<String, QueueLimit> limits = new HashMap<>();

	private final Supplier<Set<String>> leavesOut;

	/**
	 * Creates a planner.
	 * @param settings the settings of the group
	 * @param instance the name of this process
	 * @param maxRunning the limits of queues
	 * @param filters the reservation filters
	 * @param idle the filter of Locket itself
	 * @param leavesOut the supplier of the names of jobs that this process cannot run
	 */
	public RequestPlanner(GroupSettings settings, String instance, Map<String, Integer> maxRunning,
			ReservationFilters filters, IdleQueueFilter idle, Supplier<Set<String>> leavesOut) {
		this.instance = instance;
		this.filters = filters;
		this.idle = idle;
		this.leavesOut = leavesOut;
		this.sequence = QueueSequence.of(settings);
		this.queues = settings.queueNames();
		this.queues
			.forEach((queue) -> this.limits.put(queue, new QueueLimit(queue, maxRunning.getOrDefault(queue, 0))));
	}

	/**
	 * Plans the next request of this thread.
	 * @param poller the poller
	 * @param poll whether to include idle queues
	 * @param most the maximum number of jobs; only one if a queue has a limit over the
	 * fleet, because jobs that have not started count there, too
	 * @return the plan, or {@code null} if there is nothing to request
	 */
	public @Nullable Plan plan(String poller, boolean poll, int most) {
		long moment = this.idle.moment();
		List<String> requested = this.sequence.order(this.filters.apply(this.queues, poll));
		if (requested.isEmpty() && !poll) {
			return null;
		}
		List<QueueLimit> from = new ArrayList<>(requested.size());
		int slots = requested.isEmpty() ? 0 : most;
		for (String queue : requested) {
			QueueLimit limit = Objects.requireNonNull(this.limits.get(queue), "A filter only leaves queues out");
			from.add(limit);
			if (limit.maxRunning() > 0) {
				slots = 1;
			}
		}
		ReservationRequest request = new ReservationRequest(RequestIds.next(), poller, this.instance,
				Thread.currentThread().getName(), from, slots, this.leavesOut.get());
		return new Plan(request, requested, poll || requested.size() == this.queues.size(), moment);
	}

	/**
	 * Handles a reply.
	 * @param plan the plan of the request
	 * @param reservation the reply
	 * @return whether another request may find work, too
	 */
	public boolean onReply(Plan plan, Reservation reservation) {
		this.idle.onReply(plan.moment(), plan.queues(), reservation.idle());
		return reservation.cutShort() || !reservation.idle().containsAll(plan.queues());
	}

	/**
	 * Handles the end of a run, after which its queue may run another job.
	 * @param queue the queue
	 */
	public void ended(String queue) {
		this.idle.onNotification(queue);
	}

	/**
	 * Planned request.
	 *
	 * @param request the request
	 * @param queues the requested queues
	 * @param all whether this is a poll, or these are all queues of the group
	 * @param moment the moment before the request
	 */
	public record Plan(ReservationRequest request, List<String> queues, boolean all, long moment) {

	}

}
