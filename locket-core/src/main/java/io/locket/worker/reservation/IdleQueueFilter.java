package io.locket.worker.reservation;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Filter that excludes queues whose last request found nothing to run, until a
 * notification about them arrives. Notifications may be lost, so the poll of a worker
 * ignores this filter. Thread-safe.
 */
public final class IdleQueueFilter implements QueueReservationFilter {

	private final Set<String> idle = new HashSet<>();

	private final Map<String, Long> notified = new HashMap<>();

	private long allNotified;

	private long moment;

	@Override
	public synchronized List<String> filter(List<String> queues) {
		return this.idle.isEmpty() ? queues : queues.stream().filter((queue) -> !this.idle.contains(queue)).toList();
	}

	/**
	 * Returns the moment before a request. A later notification is newer than its reply.
	 * @return the moment
	 */
	public synchronized long moment() {
		return this.moment;
	}

	/**
	 * Handles a notification.
	 * @param queue the queue, or {@code null} for all
	 */
	public synchronized void onNotification(@Nullable String queue) {
		this.moment++;
		if (queue == null) {
			this.allNotified = this.moment;
			this.notified.clear();
			this.idle.clear();
		}
		else {
			this.notified.put(queue, this.moment);
			this.idle.remove(queue);
		}
	}

	/**
	 * Handles a reply.
	 * @param requestedAt the moment before the request
	 * @param requested the requested queues
	 * @param idle those of them that have nothing to run
	 */
	synchronized void onReply(long requestedAt, Collection<String> requested, Set<String> idle) {
		for (String queue : requested) {
			if (!idle.contains(queue)) {
				this.idle.remove(queue);
			}
			else if (Math.max(this.allNotified, this.notified.getOrDefault(queue, 0L)) <= requestedAt) {
				this.idle.add(queue);
			}
		}
	}

}
