package io.locket.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.event.CallEnded;
import io.locket.event.CallRefused;
import io.locket.event.JobEvent;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallMetrics}.
 */
class CallMetricsTests {

	private static final JobKey BILL = new JobKey("billing.bill", "d1", "[42]");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final CallMetrics metrics = new CallMetrics();

	@BeforeEach
	void bind() {
		this.metrics.bindTo(this.registry);
	}

	@Test
	void callsAreTimedByOutcome() {
		publish(new CallEnded(BILL, Duration.ofSeconds(2), null), new CallEnded(BILL, Duration.ofSeconds(3), null),
				new CallEnded(BILL, Duration.ofSeconds(4), "java.lang.IllegalStateException"),
				new CallEnded(BILL, Duration.ofSeconds(5), "java.util.concurrent.CancellationException"));
		assertThat(calls("succeeded").count()).isEqualTo(2);
		assertThat(calls("succeeded").totalTime(TimeUnit.SECONDS)).isEqualTo(5);
		assertThat(calls("failed").totalTime(TimeUnit.SECONDS)).isEqualTo(4);
		assertThat(calls("cancelled").totalTime(TimeUnit.SECONDS)).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void refusalsAreConflictsOfTheirStrategies(ConflictStrategy strategy) {
		publish(new CallRefused(BILL, strategy, null), new CallRefused(BILL, strategy, null));
		assertThat(this.registry.get("locket.job.conflicts")
			.tags("job", "billing.bill", "phase", "call", "strategy", strategy.name().toLowerCase(Locale.ROOT))
			.counter()
			.count()).isEqualTo(2);
		assertThat(this.registry.getMeters()).hasSize(1);
	}

	private void publish(JobEvent... events) {
		List.of(events).forEach(this.metrics::onEvent);
	}

	private Timer calls(String outcome) {
		return this.registry.get("locket.call.executions").tags("job", "billing.bill", "outcome", outcome).timer();
	}

}
