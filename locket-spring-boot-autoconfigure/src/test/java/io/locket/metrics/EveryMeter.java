package io.locket.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.JobState;
import io.locket.LeaseHolder;
import io.locket.LeaseLossCause;
import io.locket.event.CallEnded;
import io.locket.event.CallRefused;
import io.locket.event.EnqueueRefused;
import io.locket.event.EnqueueUnavailable;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobDuplicated;
import io.locket.event.JobEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.JobParked;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReplaced;
import io.locket.event.JobRetried;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.LeadershipGained;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseForced;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.LeaseUnavailable;
import io.locket.event.ReservationCompleted;
import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.StoreOverview;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Test support that creates every meter of Locket, with every constant value of each tag.
 */
final class EveryMeter {

	private static final JobKey KEY = new JobKey("billing.bill", "digest", "[42]");

	private static final String JOB = KEY.job();

	private static final String QUEUE = "invoices";

	private static final Duration TIME = Duration.ofMillis(5);

	private static final Instant INSTANT = Instant.parse("2026-05-01T00:00:00Z");

	/**
	 * Objects of gauges, which hold them only weakly.
	 */
	private static final List<Object> KEPT = new CopyOnWriteArrayList<>();

	private EveryMeter() {
	}

	static void in(MeterRegistry registry) {
		List<JobEventListener> listeners = List.of(new LeaseMetrics(), new JobMetrics(), new CallMetrics(),
				new ReservationMetrics(), new LeaderMetrics(() -> 7, () -> false), new ScheduleMetrics());
		KEPT.addAll(listeners);
		listeners.forEach((listener) -> ((MeterBinder) listener).bindTo(registry));
		events().forEach((event) -> listeners.forEach((listener) -> listener.onEvent(event)));
		queues(registry);
	}

	/**
	 * The first query creates the gauges.
	 */
	private static void queues(MeterRegistry registry) {
		QueueCounts counts = new QueueCounts(QUEUE, false, 1, 0, 0, Map.of(JobState.READY, 1L), 0, 0, 0);
		StoreOverview overview = new StoreOverview(INSTANT, List.of(new QueueOverview(counts, TIME)));
		QueueMetrics queues = new QueueMetrics(() -> overview, Duration.ofDays(1), System::nanoTime);
		KEPT.add(queues);
		queues.bindTo(registry);
		registry.get(LocketMeters.QUEUE_KNOWN.meterName()).gauge().value();
	}

	private static List<JobEvent> events() {
		List<JobEvent> events = new ArrayList<>();
		leases(events);
		enqueuing(events);
		runs(events);
		calls(events);
		leader(events);
		return events;
	}

	private static void leases(List<JobEvent> events) {
		JobKey leader = new JobKey("locket.leader", "leader", "[]");
		events.addAll(List.of(new LeaseAcquired(leader, 1, false), new LeaseAcquired(KEY, 1, true)));
		events.addAll(List.of(new LeaseAcquired(KEY, 1, false), new LeaseConflicted(KEY, null),
				new LeaseUnavailable(KEY, "down"), new LeaseReleased(KEY, 1, TIME),
				new LeaseForced(KEY, LeaseHolder.foreign()), new HeartbeatCompleted(1, 1, TIME, TIME)));
		for (LeaseLossCause cause : LeaseLossCause.values()) {
			events.add(new LeaseLost(KEY, 1, cause));
		}
	}

	private static void enqueuing(List<JobEvent> events) {
		events.addAll(List.of(new JobEnqueued("1", JOB, QUEUE, TIME), new JobReplaced("1", JOB, QUEUE, "2"),
				new EnqueueUnavailable("1", JOB, QUEUE, "down"), new EnqueueRefused("1", JOB, QUEUE, "closed")));
		for (DuplicateStrategy strategy : DuplicateStrategy.values()) {
			if (strategy != DuplicateStrategy.DEFAULT) {
				events.add(new JobDuplicated("1", JOB, QUEUE, "2", strategy));
			}
		}
	}

	private static void runs(List<JobEvent> events) {
		events.addAll(List.of(new JobStarted("1", JOB, QUEUE, "host/1/a", 1, TIME, true),
				new JobParked("1", JOB, QUEUE), new JobRetried("1", JOB, QUEUE, 1, TIME, null, null),
				new JobRetried("1", JOB, QUEUE, 1, TIME, null, TIME),
				new JobRetried("1", JOB, QUEUE, 1, TIME, "failed", TIME), new JobReturned("1", JOB, QUEUE, TIME),
				new JobReclaimed("1", JOB, QUEUE, 1, TIME),
				new JobEnded("1", JOB, QUEUE, JobState.DISCARDED, null, null)));
		for (JobState state : JobState.values()) {
			if (state.isEnded() && state != JobState.DISCARDED) {
				events.add(new JobEnded("1", JOB, QUEUE, state, TIME, null));
			}
		}
		events.addAll(List.of(new ReservationCompleted(1, TIME, null), new ReservationCompleted(0, TIME, null),
				new ReservationCompleted(0, TIME, "down")));
	}

	private static void calls(List<JobEvent> events) {
		events.addAll(List.of(new CallEnded(KEY, TIME, null), new CallEnded(KEY, TIME, "failed"),
				new CallEnded(KEY, TIME, CancellationException.class.getName())));
		for (ConflictStrategy strategy : ConflictStrategy.values()) {
			if (strategy != ConflictStrategy.DEFAULT) {
				events.add(new CallRefused(KEY, strategy, null));
			}
		}
	}

	private static void leader(List<JobEvent> events) {
		events.addAll(List.of(new LeadershipGained(7), new ScheduleMissed("nightly", INSTANT, INSTANT, 1),
				new ScheduleFailed("nightly", JOB, INSTANT, "too large")));
		for (boolean madeUp : new boolean[] { true, false }) {
			for (boolean duplicate : new boolean[] { true, false }) {
				events.add(new ScheduleFired("nightly", JOB, INSTANT, TIME, madeUp, "1", duplicate));
			}
		}
	}

}
