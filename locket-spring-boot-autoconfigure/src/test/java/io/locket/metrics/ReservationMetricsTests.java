package io.locket.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.locket.event.ReservationCompleted;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReservationMetrics}.
 */
class ReservationMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ReservationMetrics metrics = new ReservationMetrics();

	@Test
	void reservationsAreTimedByWhatTheyGot() {
		this.metrics.bindTo(this.registry);
		this.metrics.onEvent(new ReservationCompleted(3, Duration.ofMillis(2), null));
		this.metrics.onEvent(new ReservationCompleted(1, Duration.ofMillis(3), null));
		this.metrics.onEvent(new ReservationCompleted(0, Duration.ofMillis(1), null));
		this.metrics.onEvent(new ReservationCompleted(0, Duration.ofSeconds(2), "timed out"));
		assertThat(reservations("jobs").count()).isEqualTo(2);
		assertThat(reservations("jobs").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5);
		assertThat(reservations("nothing").count()).isOne();
		assertThat(reservations("unavailable").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2000);
	}

	private Timer reservations(String outcome) {
		return this.registry.get("locket.reservations").tag("outcome", outcome).timer();
	}

}
