package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.locket.DuplicateStrategy;
import io.locket.event.EnqueueUnavailable;
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
import io.locket.queue.NewJob;
import io.locket.queue.QueueUnavailableException;
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
	 * Tell that the store gave no answer for some jobs.
	 */
	void unavailable(List<NewJob> jobs, QueueUnavailableException failure) {
		String error = Objects.toString(failure.getMessage(), "");
		jobs.forEach((job) -> this.publisher.publish(new EnqueueUnavailable(job.id(), job.job(), job.queue(), error)));
	}

	/**
	 * Read what {@code tell} in {@code store.lua} writes: kind, id, job, queue, two more,
	 * the number of the attempt, and one more.
	 */
	private static QueueEvent read(List<?> event) {
		String kind = text(event, 0);
		String id = text(event, 1);
		String job = text(event, 2);
		String queue = text(event, 3);
		String one = text(event, 4);
		String two = text(event, 5);
		int attempt = Integer.parseInt(text(event, 6));
		String three = text(event, 7);
		return switch (kind) {
			case "enqueued" -> new JobEnqueued(id, job, queue, millis(one));
			case "duplicate" -> new JobDuplicated(id, job, queue, orNull(one), duplicate(two));
			case "replaced" -> new JobReplaced(id, job, queue, one);
			case "started" -> new JobStarted(id, job, queue, one, attempt, millis(two), !three.isEmpty());
			case "parked" -> new JobParked(id, job, queue);
			case "promoted" -> new JobPromoted(id, job, queue);
			case "reclaimed" -> new JobReclaimed(id, job, queue, Integer.parseInt(one), millis(two));
			case "returned" -> new JobReturned(id, job, queue, millis(one));
			case "moved" -> new JobMoved(id, job, queue, one);
			case "retried", "rescheduled" ->
				new JobRetried(id, job, queue, attempt - 1, millis(one), orNull(two), millisOrNull(three));
			default -> new JobEnded(id, job, queue, RecordFormat.state(kind), millisOrNull(one), orNull(two));
		};
	}

	private static String text(List<?> event, int index) {
		return event.get(index).toString();
	}

	private static Duration millis(String text) {
		return Duration.ofMillis(Long.parseLong(text));
	}

	private static @Nullable Duration millisOrNull(String text) {
		return text.isEmpty() ? null : millis(text);
	}

	private static DuplicateStrategy duplicate(String code) {
		return DuplicateStrategy.valueOf(code.toUpperCase(Locale.ROOT));
	}

	private static @Nullable String orNull(String text) {
		return text.isEmpty() ? null : text;
	}

}
