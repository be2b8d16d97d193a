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
	 * For how long leases were held that were released by their holders.
	 */
	LEASE_HOLD("locket.lease.hold", Type.TIMER, "For how long leases were held until they were released", Tags.JOB),

	/**
	 * Leases that were lost while their bodies ran.
	 */
	LEASE_LOST("locket.lease.lost", Type.COUNTER, "Leases that were lost while their bodies ran", Tags.JOB, Tags.CAUSE),

	/**
	 * How long a beat of the heartbeat took.
	 */
	HEARTBEAT_DURATION("locket.heartbeat.duration", Type.TIMER, "How long a beat of the heartbeat took"),

	/**
	 * Renewal scripts of the heartbeat that got no answer.
	 */
	HEARTBEAT_FAILURES("locket.heartbeat.failures", Type.COUNTER,
			"Renewal scripts of the heartbeat that got no answer");

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
		 * What came of an acquisition: {@code acquired}, {@code conflicted} or
		 * {@code unavailable}.
		 */
		public static final String OUTCOME = "outcome";

		/**
		 * Why a lease was lost: {@code unreachable}, {@code taken} or {@code gone}.
		 */
		public static final String CAUSE = "cause";

		private Tags() {
		}

	}

}
