package io.locket.queue.redis.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.event.EnqueueUnavailable;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobMoved;
import io.locket.event.JobParked;
import io.locket.event.JobPromoted;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.log.QuietWarnings;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.RunTokens;
import io.locket.queue.redis.turn.PlainRun;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Publisher of the events in the replies of scripts. Thread-safe.
 */
public final class ScriptEventPublisher {

	private static final Log logger = LogFactory.getLog(ScriptEventPublisher.class);

	private static final String UNREADABLE = "unreadable";

	/**
	 * Number of parts of an event that does not end a run.
	 */
	private static final int PARTS = 8;

	private final QuietWarnings warnings = new QuietWarnings(logger, System::nanoTime);

	private final JobEventPublisher publisher;

	private final PublishedRuns started = new PublishedRuns();

	private final PublishedRuns ended = new PublishedRuns();

	/**
	 * Creates a publisher.
	 * @param publisher the publisher of the application
	 */
	public ScriptEventPublisher(JobEventPublisher publisher) {
		this.publisher = publisher;
	}

	/**
	 * Publishes events, those that end a run once even if several calls return them.
	 * @param events the events, as {@code add_event} in {@code store.lua} writes them
	 */
	public void publish(List<?> events) {
		for (Object event : events) {
			List<?> parts = (List<?>) event;
			if (text(parts, 0).equals(UNREADABLE)) {
				warn(parts);
			}
			else if (markPublished(parts)) {
				this.publisher.publish(read(parts));
			}
		}
	}

	private void warn(List<?> unreadable) {
		String queue = text(unreadable, 3);
		String version = text(unreadable, 4);
		String cause = version.isEmpty()
				? "it is damaged. JobAdministration.unreadable() lists such records, and discard(id) deletes them"
				: "it has version " + version + ". Update this process";
		this.warnings.warn("queue " + (queue.isEmpty() ? "(unknown)" : queue),
				"The record of job " + text(unreadable, 1) + " cannot be read and is set aside: " + cause);
	}

	/**
	 * Marks an event as published. Scripts return the events of a run again when a call
	 * is repeated.
	 * @return whether it was not published before
	 */
	private boolean markPublished(List<?> event) {
		if (event.size() <= PARTS) {
			return true;
		}
		return this.ended.add(RunTokens.token(text(event, 1), text(event, PARTS)));
	}

	/**
	 * Publishes the start of a run, once even if several calls hand the job out.
	 * @param reserved the job that was handed out
	 */
	public void started(ReservedJob reserved) {
		JobRecord job = reserved.record();
		Instant startedAt = Objects.requireNonNull(job.startedAt(), "A reserved job must have a start time");
		if (this.started.add(reserved.token())) {
			Instant due = job.enqueuedAt();
			if (job.startAt() != null && job.startAt().isAfter(due)) {
				due = job.startAt();
			}
			Duration waited = startedAt.isAfter(due) ? Duration.between(due, startedAt) : Duration.ZERO;
			this.publisher.publish(
					new JobStarted(job.id(), job.job(), job.queue(), Objects.requireNonNullElse(job.instance(), ""),
							job.attempt() + 1, waited, reserved.conflict() != null));
		}
	}

	/**
	 * Publishes the success of a run, once even if several calls end it.
	 * @param run the run
	 * @param endedAt the time of its end, in ms by the clock of Redis
	 */
	public void succeeded(PlainRun run, long endedAt) {
		if (this.ended.add(run.token())) {
			this.publisher
				.publish(new JobEnded(run.id(), run.job(), run.queue(), JobState.SUCCEEDED, run.lasted(endedAt), null));
		}
	}

	/**
	 * Publishes that jobs were parked or promoted.
	 * @param events the events, as {@code handover.lua} writes them
	 */
	public void parkedOrPromoted(BinaryReply events) {
		String[] header = {};
		for (int i = 0; i < events.size(); i++) {
			String text = events.text(i);
			if (text.indexOf(' ') >= 0) {
				header = text.split(" ", 3);
			}
			else {
				this.publisher.publish(parkedOrPromoted(header[0], text, header[2], header[1]));
			}
		}
	}

	private static QueueEvent parkedOrPromoted(String event, String id, String job, String queue) {
		return switch (event) {
			case "parked" -> new JobParked(id, job, queue);
			case "promoted" -> new JobPromoted(id, job, queue);
			default -> throw new IllegalArgumentException("Unknown event: " + event);
		};
	}

	/**
	 * Publishes the failure of a run, once even if several calls end it.
	 * @param end the end of the run
	 * @param failure the reply of {@code fail.lua} to it
	 * @return the state of the job after it
	 */
	public JobState failed(RunEnd end, BinaryReply failure) {
		String job = failure.text(0);
		String queue = failure.text(1);
		int attempt = (int) failure.number(2);
		Duration lasted = Duration.ofMillis(failure.number(3));
		if (this.ended.add(end.token())) {
			this.publisher
				.publish((attempt > 0) ? new JobRetried(end.id(), job, queue, attempt, end.delay(), end.error(), lasted)
						: new JobEnded(end.id(), job, queue, JobState.DEAD, lasted, end.error()));
		}
		return (attempt > 0) ? JobState.RETRY : JobState.DEAD;
	}

	/**
	 * Publishes that a job was enqueued.
	 * @param job the job
	 * @param delay the time until it is due
	 */
	public void enqueued(NewJob job, Duration delay) {
		this.publisher.publish(new JobEnqueued(job.id(), job.job(), job.queue(), delay));
	}

	/**
	 * Publishes that a job was refused as a duplicate.
	 * @param job the job
	 * @param of the id of the other job, or {@code null} if a direct call made the claim
	 */
	public void duplicate(NewJob job, @Nullable String of) {
		this.publisher.publish(new JobDuplicated(job.id(), job.job(), job.queue(), of, job.onDuplicate()));
	}

	/**
	 * Publishes that a job has replaced another one.
	 * @param job the job
	 * @param of the id of the job that was replaced
	 */
	public void replaced(NewJob job, String of) {
		this.publisher.publish(new JobReplaced(of, job.job(), job.queue(), job.id()));
	}

	/**
	 * Publishes that the store did not reply when some jobs were enqueued.
	 * @param jobs the jobs
	 * @param failure the failure of the call
	 */
	public void unavailable(List<NewJob> jobs, QueueUnavailableException failure) {
		String error = Objects.toString(failure.getMessage(), "");
		jobs.forEach((job) -> this.publisher.publish(new EnqueueUnavailable(job.id(), job.job(), job.queue(), error)));
	}

	/**
	 * Reads an event as {@code add_event} in {@code store.lua} writes it. Its parts are
	 * the kind, id, job and queue, two details, the number of the attempt, a third
	 * detail, and the nonce of the run if the event ends one.
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

	/**
	 * Most recent runs whose start, or whose end, this process has published.
	 * Thread-safe.
	 */
	private static final class PublishedRuns {

		/**
		 * Maximum number of runs. Those of one call are enough, because it is repeated
		 * soon or never. More of them would not stay in the cache of the processor.
		 */
		private static final int REMEMBERED = 1024;

		private final Set<String> latest = new LinkedHashSet<>();

		/**
		 * Adds a run.
		 * @param token the token of the run
		 * @return {@code false} if it was added before
		 */
		private synchronized boolean add(String token) {
			if (!this.latest.add(token)) {
				return false;
			}
			if (this.latest.size() > REMEMBERED) {
				Iterator<String> oldest = this.latest.iterator();
				oldest.next();
				oldest.remove();
			}
			return true;
		}

	}

}
