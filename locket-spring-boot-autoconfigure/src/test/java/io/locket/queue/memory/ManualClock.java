package io.locket.queue.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock that stands still until a test advances it.
 */
final class ManualClock extends Clock {

	private long millis = 1_800_000_000_000L;

	void advance(Duration duration) {
		this.millis += duration.toMillis();
	}

	@Override
	public long millis() {
		return this.millis;
	}

	@Override
	public Instant instant() {
		return Instant.ofEpochMilli(this.millis);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException("This clock has one zone");
	}

}
