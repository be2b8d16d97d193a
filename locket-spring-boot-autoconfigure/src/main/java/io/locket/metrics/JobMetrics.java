package io.locket.metrics;

import java.time.Duration;
import java.util.Locale;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
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

/**
 * Counts and times what happens to queued jobs by calls of this process, as
 * {@link LocketMeters} says. Each run that has started is recorded once when it has
 * ended, whatever became of it. What happens before the first registry is bound is
 * remembered, up to a bound, and recorded there. Thread-safe.
 */
public final class JobMetrics extends EventMetrics {

	private static final String UNAVAILABLE = "unavailable";

	private static final String RECLAIMED = "reclaimed";

	private static final String DEAD = word(JobState.DEAD);

	public JobMetrics() {
		on(JobEnqueued.class, (meters, event) -> enqueue(meters, event, "accepted"));
		on(EnqueueUnavailable.class, (meters, event) -> enqueue(meters, event, UNAVAILABLE));
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
		if (meters.isNew(LocketMeters.JOB_ENQUEUES, event.job(), event.queue(), UNAVAILABLE)) {
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
		if (meters.isNew(LocketMeters.JOB_WAITING, event.job(), event.queue())) {
			meters.counter(LocketMeters.JOB_ENDED, event.job(), event.queue(), DEAD);
			meters.timer(LocketMeters.JOB_EXECUTIONS, event.job(), event.queue(), RECLAIMED);
		}
		meters.timer(LocketMeters.JOB_WAITING, event.job(), event.queue()).record(event.waited());
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
		return state.name().toLowerCase(Locale.ROOT);
	}

	private static void refused(RegistryMeters meters, QueueEvent event, ConflictStrategy strategy) {
		ConflictPhase.RUN.count(meters, event.job(), strategy);
	}

}
