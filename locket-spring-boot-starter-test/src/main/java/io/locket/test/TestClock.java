package io.locket.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clock of the queue and the leases in a test. It starts with the system time in
 * whole milliseconds and stands still until {@link LocketTester#advance} moves it.
 * Thread-safe.
 */
public final class TestClock extends Clock {

	private final ZoneId zone;

	private final AtomicReference<Instant> time;

	/**
	 * Creates a clock with the system time in UTC.
	 */
	public TestClock() {
		this(ZoneOffset.UTC, new AtomicReference<>(start()));
	}

	private TestClock(ZoneId zone, AtomicReference<Instant> time) {
		this.zone = zone;
		this.time = time;
	}

	private static Instant start() {
		return Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
	}

	void advance(Duration duration) {
		this.time.updateAndGet((instant) -> instant.plus(duration));
	}

	void reset() {
		this.time.set(start());
	}

	@Override
	public Instant instant() {
		return Objects.requireNonNull(this.time.get());
	}

	@Override
	public ZoneId getZone() {
		return this.zone;
	}

	/**
	 * Returns this clock in another zone. Both advance together.
	 */
	@Override
	public Clock withZone(ZoneId zone) {
		return new TestClock(zone, this.time);
	}

}
