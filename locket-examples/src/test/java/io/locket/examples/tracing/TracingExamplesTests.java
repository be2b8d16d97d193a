package io.locket.examples.tracing;

import java.util.ArrayList;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.JobKey;
import io.locket.UniqueJob;
import io.locket.examples.Examples;
import io.locket.observation.RunObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/tracing.md.
 */
class TracingExamplesTests {

	@Test
	void observersAreNotifiedOfTheRunAndItsConventionNamesIt() {
		List<String> names = new ArrayList<>();
		Examples.application(Observers.class, RunningJobs.class, Reports.class)
			.withBean(ObservationRegistry.class, () -> registry(names))
			.run((context) -> {
				RunningJobs running = context.getBean(RunningJobs.class);
				assertThat(context.getBean(Reports.class).print(42, running)).extracting(JobKey::toString)
					.containsExactly("reports.print(42)");
				assertThat(running.keys()).isEmpty();
				assertThat(names).containsExactly("reports.print");
			});
	}

	private static ObservationRegistry registry(List<String> names) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				names.add(context.getContextualName());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return context instanceof RunObservationContext;
			}

		});
		return registry;
	}

	static class Reports {

		@UniqueJob(name = "reports.print", key = "#number", onConflict = ConflictStrategy.RAISE)
		public List<JobKey> print(int number, RunningJobs running) {
			return List.copyOf(running.keys());
		}

	}

}
