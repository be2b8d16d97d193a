package io.locket.metrics;

import java.util.List;

import io.micrometer.core.instrument.Meter.Type;

/**
 * Locket's meters with their names, types and tags. Tags have few values: names of jobs,
 * queues and schedules, and constants, never keys or arguments.
 */
public enum LocketMeters {

	/**
	 * Attempts to acquire a lease, by outcome.
	 */
	LEASE_ACQUISITIONS("locket.lease.acquisitions", Type.COUNTER, "Attempts to acquire a lease, by outcome", Tags.JOB,
			Tags.KIND, Tags.OUTCOME),

	/**
	 * Leases that this process holds.
	 */
	LEASE_HELD("locket.lease.held", Type.GAUGE, "Leases that this process holds", Tags.JOB, Tags.KIND),

	/**
	 * Time from the acquisition of a lease to its release.
	 */
	LEASE_HOLD("locket.lease.hold", Type.TIMER, "Time from the acquisition of a lease to its release", Tags.JOB,
			Tags.KIND),

	/**
	 * Leases that were lost while their bodies ran.
	 */
	LEASE_LOST("locket.lease.lost", Type.COUNTER, "Leases that were lost while their bodies ran", Tags.JOB, Tags.KIND,
			Tags.CAUSE),

	/**
	 * Leases that this process released by force.
	 */
	LEASE_FORCED("locket.lease.forced", Type.COUNTER, "Leases that this process released by force", Tags.JOB,
			Tags.KIND),

	/**
	 * Duration of a heartbeat.
	 */
	HEARTBEAT_DURATION("locket.heartbeat.duration", Type.TIMER, "Duration of a heartbeat"),

	/**
	 * Delay of a heartbeat after its planned time.
	 */
	HEARTBEAT_DELAY("locket.heartbeat.delay", Type.TIMER, "Delay of a heartbeat after its planned time"),

	/**
	 * Renewal scripts of the heartbeat that failed.
	 */
	HEARTBEAT_FAILURES("locket.heartbeat.failures", Type.COUNTER, "Renewal scripts of the heartbeat that failed"),

	/**
	 * Attempts to enqueue a job, by outcome.
	 */
	JOB_ENQUEUES("locket.job.enqueues", Type.COUNTER, "Attempts to enqueue a job, by outcome", Tags.JOB, Tags.QUEUE,
			Tags.OUTCOME),

	/**
	 * Time from the due time of a queued job to its reservation by a worker.
	 */
	JOB_WAITING("locket.job.waiting", Type.TIMER,
			"Time from the due time of a queued job to its reservation by a worker", Tags.JOB, Tags.QUEUE),

	/**
	 * Duration of runs of queued jobs, by outcome.
	 */
	JOB_EXECUTIONS("locket.job.executions", Type.TIMER, "Duration of runs of queued jobs, by outcome", Tags.JOB,
			Tags.QUEUE, Tags.OUTCOME),

	/**
	 * Queued jobs that have ended, by final state.
	 */
	JOB_ENDED("locket.job.ended", Type.COUNTER, "Queued jobs that have ended, by final state", Tags.JOB, Tags.QUEUE,
			Tags.STATE),

	/**
	 * Conflicts with the holder of a key, by phase and applied strategy.
	 */
	JOB_CONFLICTS("locket.job.conflicts", Type.COUNTER,
			"Conflicts with the holder of a key, by phase and applied strategy", Tags.JOB, Tags.PHASE, Tags.STRATEGY),

	/**
	 * Duration of guarded direct calls, by outcome.
	 */
	CALL_EXECUTIONS("locket.call.executions", Type.TIMER, "Duration of guarded direct calls, by outcome", Tags.JOB,
			Tags.OUTCOME),

	/**
	 * Queues of the namespace that have gauges.
	 */
	QUEUE_KNOWN("locket.queue.known", Type.GAUGE, "Queues of the namespace that have gauges"),

	/**
	 * Jobs of a queue in the whole fleet, by state.
	 */
	QUEUE_JOBS("locket.queue.jobs", Type.GAUGE, "Jobs of a queue in the whole fleet, by state", Tags.QUEUE, Tags.STATE),

	/**
	 * Time since the due time of the longest waiting job of a queue.
	 */
	QUEUE_OLDEST("locket.queue.oldest", Type.GAUGE, "Time since the due time of the longest waiting job of a queue",
			Tags.QUEUE),

	/**
	 * Whether a queue is paused: 1 or 0.
	 */
	QUEUE_PAUSED("locket.queue.paused", Type.GAUGE, "Whether a queue is paused: 1 or 0", Tags.QUEUE),

	/**
	 * Duration of the reservation calls of this process, by outcome.
	 */
	RESERVATIONS("locket.reservations", Type.TIMER, "Duration of the reservation calls of this process, by outcome",
			Tags.OUTCOME),

	/**
	 * Whether this process leads: 1 or 0, or NaN if it takes no part in the election
	 * because there are no schedules.
	 */
	LEADER("locket.leader", Type.GAUGE, "Whether this process leads: 1 or 0, or NaN if there are no schedules"),

	/**
	 * Current or last term in which this process led, or 0.
	 */
	LEADER_TERM("locket.leader.term", Type.GAUGE, "Current or last term in which this process led, or 0"),

	/**
	 * Firings of schedules, by whether they were made up and by outcome.
	 */
	SCHEDULE_FIRINGS("locket.schedule.firings", Type.COUNTER,
			"Firings of schedules, by whether they were made up and by outcome", Tags.SCHEDULE, Tags.MADE_UP,
			Tags.OUTCOME),

	/**
	 * Delay of a firing after its planned time.
	 */
	SCHEDULE_DELAY("locket.schedule.delay", Type.TIMER, "Delay of a firing after its planned time", Tags.SCHEDULE),

	/**
	 * Missed firings that are not made up.
	 */
	SCHEDULE_MISSED("locket.schedule.missed", Type.COUNTER, "Missed firings that are not made up", Tags.SCHEDULE),

	/**
	 * Series of failures to enqueue the job of a schedule.
	 */
	SCHEDULE_FAILURES("locket.schedule.failures", Type.COUNTER, "Series of failures to enqueue the job of a schedule",
			Tags.SCHEDULE);

	private final String meterName;

	private final Type type;

	private final String description;

	private final List<String> tags;

	LocketMeters(String meterName, Type type, String description, String... tags) {
		this.meterName = meterName;
		this.type = type;
		this.description = description;
		this.tags = List.of(tags);
	}

	/**
	 * Returns the name of the meter.
	 * @return the name
	 */
	public String meterName() {
		return this.meterName;
	}

	/**
	 * Returns the type of the meter.
	 * @return the type
	 */
	public Type type() {
		return this.type;
	}

	/**
	 * Returns the description of the meter.
	 * @return one line without a full stop
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns the keys of the tags.
	 * @return the keys, empty if there are none
	 */
	public List<String> tags() {
		return this.tags;
	}

	/**
	 * Keys of tags.
	 */
	public static final class Tags {

		/**
		 * The name of a job, or of a programmatic lease.
		 */
		public static final String JOB = "job";

		/**
		 * The kind of a lease: a {@link io.locket.LeaseKind} in lower case.
		 */
		public static final String KIND = "kind";

		/**
		 * The name of a queue.
		 */
		public static final String QUEUE = "queue";

		/**
		 * The name of a schedule.
		 */
		public static final String SCHEDULE = "schedule";

		/**
		 * The outcome, in one word that the documentation lists for each meter.
		 */
		public static final String OUTCOME = "outcome";

		/**
		 * The state of a job: a {@link io.locket.JobState} in lower case.
		 */
		public static final String STATE = "state";

		/**
		 * The cause of the loss of a lease: a {@link io.locket.LeaseLossCause} in lower
		 * case.
		 */
		public static final String CAUSE = "cause";

		/**
		 * The phase of a conflict: {@code enqueue}, {@code run} or {@code call}.
		 */
		public static final String PHASE = "phase";

		/**
		 * The strategy applied to a conflict: a {@link io.locket.DuplicateStrategy} or a
		 * {@link io.locket.ConflictStrategy} in lower case.
		 */
		public static final String STRATEGY = "strategy";

		/**
		 * Whether a missed firing was made up: {@code true} or {@code false}.
		 */
		public static final String MADE_UP = "made_up";

		private Tags() {
		}

	}

}
