package io.locket.autoconfigure.observation;

import java.util.Objects;

import io.locket.observation.JobObservations;
import io.locket.observation.TestRun;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobMeterObservationHandler}.
 */
class JobMeterObservationHandlerTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final JobMeterObservationHandler handler = new JobMeterObservationHandler(this.meters);

	private final ObservationRegistry registry = ObservationRegistry.create();

	@BeforeEach
	void register() {
		this.registry.observationConfig().observationHandler(this.handler);
	}

	@Test
	void runHasATimerAndItsEventsHaveCounters() {
		RunObservation run = new JobObservations(this.registry, null, null, null)
			.running(JobRun.direct(TestRun.direct("billing.bill", "(42)"), false));
		Observation current = Objects.requireNonNull(this.registry.getCurrentObservation());
		current.event(Observation.Event.of("half"));
		run.leave();
		run.end(RunOutcome.SUCCEEDED, null);
		assertThat(this.meters.getMeters()).extracting(Meter::getId)
			.extracting(Meter.Id::getName)
			.containsExactlyInAnyOrder("locket.run", "locket.run.half");
		assertThat(this.meters.get("locket.run").tag("outcome", "succeeded").timer().count()).isOne();
		assertThat(this.meters.get("locket.run.half").counter().count()).isEqualTo(1);
	}

	@Test
	void observationOfTheApplicationIsLeftToOtherHandlers() {
		assertThat(this.handler.supportsContext(new Observation.Context())).isFalse();
	}

}
