package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;

import io.locket.DuplicateStrategy;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEventPublisher;
import io.locket.event.JobMoved;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import org.jspecify.annotations.Nullable;

/**
 * Tells of what scripts have done.
 */
final class QueueEvents {

	private final JobEventPublisher publisher;

	QueueEvents(JobEventPublisher publisher) {
		this.publisher = publisher;
	}

	void publish(List<?> events) {
		events.forEach((event) -> this.publisher.publish(read((List<?>) event)));
	}

	/**
	 * Read what {@code tell} in {@code store.lua} writes: kind, id, job, queue, two more,
	 * and the number of the attempt.
	 */
	private static QueueEvent read(List<?> event) {
		String kind = text(event, 0);
		String id = text(event, 1);
		String job = text(event, 2);
		String queue = text(event, 3);
		String one = text(event, 4);
		String two = text(event, 5);
		return switch (kind) {
			case "enqueued" -> new JobEnqueued(id, job, queue, millis(one));
			case "duplicate" -> new JobDuplicated(id, job, queue, orNull(one), DuplicateStrategy.REJECT);
			case "replaced" -> new JobReplaced(id, job, queue, one);
			case "started" -> new JobStarted(id, job, queue, one, Integer.parseInt(text(event, 6)), millis(two), false);
			case "parked" -> new JobParked(id, job, queue);
			case "promoted" -> new JobPromoted(id, job, queue);
			case "reclaimed" -> new JobReclaimed(id, job, queue, Integer.parseInt(one), Duration.ZERO);
			case "returned" -> new JobReturned(id, job, queue, Duration.ZERO);
			case "moved" -> new JobMoved(id, job, queue, one);
			case "retried", "rescheduled" ->
				new JobRetried(id, job, queue, Integer.parseInt(text(event, 6)) - 1, millis(one), orNull(two), null);
			default ->
				new JobEnded(id, job, queue, RecordFormat.state(kind), one.isEmpty() ? null : millis(one), orNull(two));
		};
	}

	private static String text(List<?> event, int index) {
		return event.get(index).toString();
	}

	private static Duration millis(String text) {
		return Duration.ofMillis(Long.parseLong(text));
	}

	private static @Nullable String orNull(String text) {
		return text.isEmpty() ? null : text;
	}

}
