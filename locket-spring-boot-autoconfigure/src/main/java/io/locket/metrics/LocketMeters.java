package io.locket.metrics;

import java.util.List;

import io.micrometer.core.instrument.Meter.Type;

/**
 * Locket's meters: names, types and tags. Values of tags are few: names of jobs and
 * constants, never keys or arguments.
 */
public enum LocketMeters {

	/**
	 * Leases that were asked for, by what came of it.
	 */
	LEASE_ACQUISITIONS("locket.lease.acquisitions", Type.COUNTER, "Leases that were asked for, by what came of it",
			Tags.JOB, Tags.OUTCOME),

	/**
	 * Leases that this process holds.
	 */
	LEASE_HELD("locket.lease.held", Type.GAUGE, "Leases that this process holds", Tags.JOB),

	/**
	 * For how long leases were held until they were released.
	 */
	LEASE_HOLD("locket.lease.hold", Type.TIMER, "For how long leases were held until they were released", Tags.JOB),

	/**
	 * Leases that were lost while their bodies ran.
	 */
	LEASE_LOST("locket.lease.lost", Type.COUNTER, "Leases that were lost while their bodies ran", Tags.JOB, Tags.CAUSE),

	/**
	 * Leases that this process took from their holders by force.
	 */
	LEASE_FORCED("locket.lease.forced", Type.COUNTER, "Leases that this process took from their holders by force",
			Tags.JOB),

	/**
	 * How long a beat of the heartbeat took.
	 */
	HEARTBEAT_DURATION("locket.heartbeat.duration", Type.TIMER, "How long a beat of the heartbeat took"),

	/**
	 * How much later than planned a beat of the heartbeat began.
	 */
	HEARTBEAT_DELAY("locket.heartbeat.delay", Type.TIMER, "How much later than planned a beat of the heartbeat began"),

	/**
	 * Renewal scripts of the heartbeat that got no answer.
	 */
	HEARTBEAT_FAILURES("locket.heartbeat.failures", Type.COUNTER,
			"Renewal scripts of the heartbeat that got no answer"),

	/**
	 * Jobs that were to be enqueued, by what came of it.
	 */
	JOB_ENQUEUES("locket.job.enqueues", Type.COUNTER, "Jobs that were to be enqueued, by what came of it", Tags.JOB,
			Tags.QUEUE, Tags.OUTCOME),

	/**
	 * How long queued jobs waited from their due time until they were handed out.
	 */
	JOB_WAITING("locket.job.waiting", Type.TIMER,
			"How long queued jobs waited from their due time until they were handed out", Tags.JOB, Tags.QUEUE),

	/**
	 * How long runs of queued jobs took, by how they ended.
	 */
	JOB_EXECUTIONS("locket.job.executions", Type.TIMER, "How long runs of queued jobs took, by how they ended",
			Tags.JOB, Tags.QUEUE, Tags.OUTCOME),

	/**
	 * Queued jobs that have ended, by the state in which they are now.
	 */
	JOB_ENDED("locket.job.ended", Type.COUNTER, "Queued jobs that have ended, by the state in which they are now",
			Tags.JOB, Tags.QUEUE, Tags.STATE),

	/**
	 * Times that a key was taken, by when that was found and what was done.
	 */
	JOB_CONFLICTS("locket.job.conflicts", Type.COUNTER,
			"Times that a key was taken, by when that was found and what was done", Tags.JOB, Tags.PHASE,
			Tags.STRATEGY),

	/**
	 * How long guarded direct calls took, by how they ended.
	 */
	CALL_EXECUTIONS("locket.call.executions", Type.TIMER, "How long guarded direct calls took, by how they ended",
			Tags.JOB, Tags.OUTCOME),

	/**
	 * Queues of the namespace that the meters of queues tell of.
	 */
	QUEUE_KNOWN("locket.queue.known", Type.GAUGE, "Queues of the namespace that the meters of queues tell of"),

	/**
	 * Jobs of a queue in the whole fleet, by their states.
	 */
	QUEUE_JOBS("locket.queue.jobs", Type.GAUGE, "Jobs of a queue in the whole fleet, by their states", Tags.QUEUE,
			Tags.STATE),

	/**
	 * How long the job of a queue has waited since its due time that has waited longest.
	 */
	QUEUE_OLDEST("locket.queue.oldest", Type.GAUGE,
			"How long the job of a queue has waited since its due time that has waited longest", Tags.QUEUE),

	/**
	 * Whether a queue is paused: 1 or 0.
	 */
	QUEUE_PAUSED("locket.queue.paused", Type.GAUGE, "Whether a queue is paused: 1 or 0", Tags.QUEUE),

	/**
	 * How long it took this process to ask the queues for jobs, by what it got.
	 */
	RESERVATIONS("locket.reservations", Type.TIMER,
			"How long it took this process to ask the queues for jobs, by what it got", Tags.OUTCOME),

	/**
	 * Whether this process leads: 1 or 0.
	 */
	LEADER("locket.leader", Type.GAUGE, "Whether this process leads: 1 or 0"),

	/**
	 * The term in which this process leads, or led last; 0 if it never did.
	 */
	LEADER_TERM("locket.leader.term", Type.GAUGE,
			"The term in which this process leads, or led last; 0 if it never did"),

	/**
	 * Firings of schedules, by whether they were made up for and what came of their jobs.
	 */
	SCHEDULE_FIRINGS("locket.schedule.firings", Type.COUNTER,
			"Firings of schedules, by whether they were made up for and what came of their jobs", Tags.SCHEDULE,
			Tags.MADE_UP, Tags.OUTCOME),

	/**
	 * How much later than planned schedules fired.
	 */
	SCHEDULE_DELAY("locket.schedule.delay", Type.TIMER, "How much later than planned schedules fired", Tags.SCHEDULE),

	/**
	 * Times for which schedules will not fire any more.
	 */
	SCHEDULE_MISSED("locket.schedule.missed", Type.COUNTER, "Times for which schedules will not fire any more",
			Tags.SCHEDULE),

	/**
	 * Times that the jobs of a schedule began to fail to be enqueued.
	 */
	SCHEDULE_FAILURES("locket.schedule.failures", Type.COUNTER,
			"Times that the jobs of a schedule began to fail to be enqueued", Tags.SCHEDULE);

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
	 * Return the name of the meter.
	 * @return the name
	 */
	public String meterName() {
		return this.meterName;
	}

	/**
	 * Return the type of the meter.
	 * @return the type
	 */
	public Type type() {
		return this.type;
	}

	/**
	 * Return what the meter says.
	 * @return one line without a full stop
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Return the keys of the tags.
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
		 * The name of a queue.
		 */
		public static final String QUEUE = "queue";

		/**
		 * The name of a schedule.
		 */
		public static final String SCHEDULE = "schedule";

		/**
		 * What came of it, in one word that the documentation lists for each meter.
		 */
		public static final String OUTCOME = "outcome";

		/**
		 * The state of a job: a {@link io.locket.JobState} in lower case.
		 */
		public static final String STATE = "state";

		/**
		 * Why a lease was lost: a {@link io.locket.LeaseLossCause} in lower case.
		 */
		public static final String CAUSE = "cause";

		/**
		 * When a key was found taken: {@code enqueue}, {@code run} or {@code call}.
		 */
		public static final String PHASE = "phase";

		/**
		 * What is done where a key is taken: a {@link io.locket.DuplicateStrategy} or a
		 * {@link io.locket.ConflictStrategy} in lower case.
		 */
		public static final String STRATEGY = "strategy";

		/**
		 * Whether a firing was missed, and made up for: {@code true} or {@code false}.
		 */
		public static final String MADE_UP = "made_up";

		private Tags() {
		}

	}

}
