package io.locket.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.locket.event.JobEvent;
import io.locket.event.ScheduleFailed;
import io.locket.event.ScheduleFired;
import io.locket.event.ScheduleMissed;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScheduleMetrics}.
 */
class ScheduleMetricsTests {

	private static final Instant TIME = Instant.parse("2026-05-01T00:00:00Z");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ScheduleMetrics metrics = new ScheduleMetrics();

	@BeforeEach
	void bind() {
		this.metrics.bindTo(this.registry);
	}

	@Test
	void firingsAreCountedByWhatCameOfThem() {
		publish(fired(false, false), fired(false, false), fired(false, true), fired(true, false), fired(true, true));
		assertThat(firings("false", "accepted")).isEqualTo(2);
		assertThat(firings("false", "duplicate")).isOne();
		assertThat(firings("true", "accepted")).isOne();
		assertThat(firings("true", "duplicate")).isOne();
	}

	@Test
	void delaysOfFiringsAreTimed() {
		publish(fired(false, false), fired(true, false));
		Timer delay = this.registry.get("locket.schedule.delay").tag("schedule", "nightly").timer();
		assertThat(delay.count()).isEqualTo(2);
		assertThat(delay.totalTime(TimeUnit.SECONDS)).isEqualTo(14);
	}

	@Test
	void timesThatWereMissedAreCountedOneByOne() {
		publish(new ScheduleMissed("nightly", TIME, TIME.plusSeconds(60), 3),
				new ScheduleMissed("nightly", TIME, TIME.plusSeconds(60), 100));
		assertThat(this.registry.get("locket.schedule.missed").tag("schedule", "nightly").counter().count())
			.isEqualTo(103);
	}

	@Test
	void failuresAreCounted() {
		publish(new ScheduleFailed("nightly", "reports.run", TIME, "payload too large"));
		assertThat(this.registry.get("locket.schedule.failures").tag("schedule", "nightly").counter().count()).isOne();
	}

	@Test
	void whatMayGoWrongWithAScheduleBeginsAtZero() {
		publish(fired(false, false));
		assertThat(this.registry.get("locket.schedule.missed").tag("schedule", "nightly").counter().count()).isZero();
		assertThat(this.registry.get("locket.schedule.failures").tag("schedule", "nightly").counter().count()).isZero();
	}

	private static ScheduleFired fired(boolean madeUp, boolean duplicate) {
		return new ScheduleFired("nightly", "reports.run", TIME, Duration.ofSeconds(7), madeUp, "1", duplicate);
	}

	private void publish(JobEvent... events) {
		List.of(events).forEach(this.metrics::onEvent);
	}

	private double firings(String madeUp, String outcome) {
		return this.registry.get("locket.schedule.firings")
			.tags("schedule", "nightly", "made_up", madeUp, "outcome", outcome)
			.counter()
			.count();
	}

}
