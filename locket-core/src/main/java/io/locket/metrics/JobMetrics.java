package io.locket.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.event.EnqueueRefused;
import io.locket.event.EnqueueUnavailable;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobParked;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;

/**
 * Counters and timers of the events of queued jobs that result from calls of this
 * process, as described in {@link LocketMeters}. Each started run is recorded once, when
 * it has ended. Events before the first registry is bound are buffered, up to a bound,
 * and recorded in it. Thread-safe.
 */
public final class JobMetrics extends EventMetrics {

	private static final String UNAVAILABLE = "unavailable";

	private static final String RECLAIMED = "reclaimed";

	/**
	 * Values of the state tag.
	 */
	private static final Map<JobState, String> WORDS = words();

	private static final String DEAD = word(JobState.DEAD);

	public JobMetrics() {
		on(JobEnqueued.class, (meters, event) -> enqueue(meters, event, "accepted"));
		on(EnqueueUnavailable.class, (meters, event) -> enqueue(meters, event, UNAVAILABLE));
		on(EnqueueRefused.class, (meters, event) -> enqueue(meters, event, "refused"));
		on(JobDuplicated.class, JobMetrics::duplicated);
		on(JobReplaced.class, JobMetrics::replaced);
		on(JobStarted.class, JobMetrics::started);
		on(JobParked.class, (meters, event) -> refused(meters, event, ConflictStrategy.PARK));
		on(JobRetried.class, JobMetrics::retried);
		on(JobReturned.class, (meters, event) -> execution(meters, event, "returned", event.ran()));
		on(JobReclaimed.class, (meters, event) -> execution(meters, event, RECLAIMED, event.ran()));
		on(JobEnded.class, JobMetrics::ended);
	}

	private static void enqueue(RegistryMeters meters, QueueEvent event, String outcome) {
		Counter known = meters.knownCounter(LocketMeters.JOB_ENQUEUES, event.job(), event.queue(), outcome);
		if (known != null) {
			known.increment();
			return;
		}
		if (meters.markRequested(LocketMeters.JOB_ENQUEUES, event.job(), event.queue(), UNAVAILABLE)) {
			meters.counter(LocketMeters.JOB_ENQUEUES, event.job(), event.queue(), UNAVAILABLE);
		}
		meters.counter(LocketMeters.JOB_ENQUEUES, event.job(), event.queue(), outcome).increment();
	}

	private static void duplicated(RegistryMeters meters, JobDuplicated event) {
		enqueue(meters, event, "duplicate");
		ConflictPhase.ENQUEUE.count(meters, event.job(), event.strategy());
	}

	private static void replaced(RegistryMeters meters, JobReplaced event) {
		enqueue(meters, event, "replaced");
		ConflictPhase.ENQUEUE.count(meters, event.job(), DuplicateStrategy.REPLACE);
	}

	private static void started(RegistryMeters meters, JobStarted event) {
		Timer known = meters.knownTimer(LocketMeters.JOB_WAITING, event.job(), event.queue());
		if (known == null && meters.markRequested(LocketMeters.JOB_WAITING, event.job(), event.queue())) {
			meters.counter(LocketMeters.JOB_ENDED, event.job(), event.queue(), DEAD);
			meters.timer(LocketMeters.JOB_EXECUTIONS, event.job(), event.queue(), RECLAIMED);
		}
		Timer waiting = (known != null) ? known : meters.timer(LocketMeters.JOB_WAITING, event.job(), event.queue());
		waiting.record(event.waited());
		if (event.refused()) {
			refused(meters, event, ConflictStrategy.RAISE);
		}
	}

	private static void retried(RegistryMeters meters, JobRetried event) {
		if (event.ran() != null) {
			execution(meters, event, (event.error() != null) ? "failed" : "deferred", event.ran());
		}
		else {
			refused(meters, event, ConflictStrategy.RESCHEDULE);
		}
	}

	private static void ended(RegistryMeters meters, JobEnded event) {
		String state = word(event.state());
		meters.counter(LocketMeters.JOB_ENDED, event.job(), event.queue(), state).increment();
		if (event.ran() != null) {
			execution(meters, event, state, event.ran());
		}
		else if (event.state() == JobState.DISCARDED) {
			refused(meters, event, ConflictStrategy.REJECT);
		}
	}

	private static void execution(RegistryMeters meters, QueueEvent event, String outcome, Duration ran) {
		meters.timer(LocketMeters.JOB_EXECUTIONS, event.job(), event.queue(), outcome).record(ran);
	}

	private static String word(JobState state) {
		return Objects.requireNonNull(WORDS.get(state));
	}

	private static Map<JobState, String> words() {
		Map<JobState, String> words = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			words.put(state, state.name().toLowerCase(Locale.ROOT));
		}
		return words;
	}

	private static void refused(RegistryMeters meters, QueueEvent event, ConflictStrategy strategy) {
		ConflictPhase.RUN.count(meters, event.job(), strategy);
	}

}
