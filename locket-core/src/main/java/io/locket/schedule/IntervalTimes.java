package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;

/**
 * Times at an interval from when the schedule was first known, regardless of the leader.
 */
final class IntervalTimes extends FiringTimes {

	private final long since;

	private final long every;

	IntervalTimes(Instant since, Duration every) {
		this.since = since.toEpochMilli();
		this.every = every.toMillis();
	}

	@Override
	Instant find(Instant after) {
		long passed = Math.max(0, Math.floorDiv(after.toEpochMilli() - this.since, this.every));
		return Instant.ofEpochMilli(this.since + (passed + 1) * this.every);
	}

}
