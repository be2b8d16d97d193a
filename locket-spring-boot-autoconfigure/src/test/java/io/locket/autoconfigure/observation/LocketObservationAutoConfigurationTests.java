package io.locket.autoconfigure.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.observation.DefaultEnqueueObservationConvention;
import io.locket.observation.DefaultRunObservationConvention;
import io.locket.observation.DefaultWaitObservationConvention;
import io.locket.observation.DirectRunTracingObservationHandler;
import io.locket.observation.EnqueueObservationConvention;
import io.locket.observation.JobObservations;
import io.locket.observation.RunObservationContext;
import io.locket.observation.RunObservationConvention;
import io.locket.observation.TestRun;
import io.locket.observation.WaitObservationConvention;
import io.locket.observation.WaitTracingObservationHandler;
import io.locket.observer.EnqueueCall;
import io.locket.observer.EnqueueObservation;
import io.locket.observer.JobObserver;
import io.locket.observer.JobRun;
import io.locket.observer.RunObservation;
import io.locket.observer.RunOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketObservationAutoConfiguration}.
 */
class LocketObservationAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LocketObservationAutoConfiguration.class, MetricsAutoConfiguration.class,
						CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	private final ApplicationContextRunner tracing = this.contextRunner
		.withConfiguration(AutoConfigurations.of(MicrometerTracingAutoConfiguration.class,
				OpenTelemetryTracingAutoConfiguration.class, OpenTelemetrySdkAutoConfiguration.class));

	@Test
	void runsAreTimedWithNamesAndConstantsOnly() {
		this.contextRunner.run((context) -> {
			run(context.getBean(JobObserver.class));
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("locket.run").timer().getId().getTags())
				.extracting((tag) -> tag.getKey() + "=" + tag.getValue())
				.containsExactlyInAnyOrder("job=billing.bill", "queue=invoices", "kind=queued", "outcome=succeeded",
						"error=none");
			assertThat(meters.get("locket.enqueue").timer().getId().getTags())
				.extracting((tag) -> tag.getKey() + "=" + tag.getValue())
				.containsExactlyInAnyOrder("job=(several)", "queue=(several)", "outcome=mixed", "error=none");
		});
	}

	@Test
	void waitingHasNoTimerSinceItIsOverWhenItIsObserved() {
		for (ApplicationContextRunner runner : new ApplicationContextRunner[] { this.contextRunner, this.tracing }) {
			runner.run((context) -> {
				run(context.getBean(JobObserver.class));
				assertThat(context.getBean(MeterRegistry.class).getMeters())
					.extracting((meter) -> meter.getId().getName())
					.contains("locket.run")
					.noneMatch((name) -> name.startsWith("locket.wait"));
			});
		}
	}

	@Test
	void thereAreNoLongTaskTimers() {
		for (ApplicationContextRunner runner : new ApplicationContextRunner[] { this.contextRunner, this.tracing }) {
			runner.run((context) -> {
				run(context.getBean(JobObserver.class));
				assertThat(context.getBean(MeterRegistry.class).getMeters())
					.extracting((meter) -> meter.getId().getName())
					.contains("locket.run", "locket.enqueue")
					.noneMatch((name) -> name.endsWith(".active"));
			});
		}
	}

	@Test
	void applicationTimesObservationsWithItsOwnHandler() {
		this.contextRunner.withUserConfiguration(OwnHandlerConfiguration.class).run((context) -> {
			run(context.getBean(JobObserver.class));
			assertThat(context.getBean(MeterRegistry.class).getMeters()).extracting((meter) -> meter.getId().getName())
				.contains("locket.run", "locket.run.active");
		});
	}

	@Test
	void handlersStandBesideThoseOfSpringBoot() {
		this.tracing.run((context) -> assertThat(context).hasSingleBean(DefaultMeterObservationHandler.class)
			.hasSingleBean(PropagatingReceiverTracingObservationHandler.class)
			.hasSingleBean(PropagatingSenderTracingObservationHandler.class)
			.hasSingleBean(WaitTracingObservationHandler.class)
			.hasSingleBean(DirectRunTracingObservationHandler.class)
			.getBeans(MeterObservationHandler.class)
			.hasSize(3));
	}

	@Test
	void conventionIsReplaced() {
		this.contextRunner.withBean(RunObservationConvention.class, ShortConvention::new).run((context) -> {
			run(context.getBean(JobObserver.class));
			assertThat(context.getBean(MeterRegistry.class).get("job").tag("queue", "invoices").timer().count())
				.isOne();
		});
	}

	@Test
	void conventionsOfEnqueuesAndWaitsAreReplaced() {
		NameCollector names = new NameCollector();
		this.contextRunner.withBean(EnqueueObservationConvention.class, ShortEnqueueConvention::new)
			.withBean(WaitObservationConvention.class, ShortWaitConvention::new)
			.withBean(NameCollector.class, () -> names)
			.run((context) -> run(context.getBean(JobObserver.class)));
		assertThat(names.started).contains("enqueue", "wait").doesNotContain("locket.enqueue", "locket.wait");
	}

	@Test
	void observationsAreSwitchedOffAsAnyOther() {
		this.contextRunner.withPropertyValues("management.observations.enable.locket=false").run((context) -> {
			run(context.getBean(JobObserver.class));
			assertThat(context.getBean(MeterRegistry.class).getMeters())
				.noneMatch((meter) -> meter.getId().getName().startsWith("locket"));
		});
		this.contextRunner.withPropertyValues("management.observations.enable.locket.enqueue=false").run((context) -> {
			run(context.getBean(JobObserver.class));
			assertThat(context.getBean(MeterRegistry.class).getMeters()).extracting((meter) -> meter.getId().getName())
				.contains("locket.run")
				.doesNotContain("locket.enqueue");
		});
	}

	@Test
	void observationsBackOffWhenLocketIsDisabled() {
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(JobObserver.class));
	}

	@Test
	void observationsBackOffWhenTheUserHasOwn() {
		JobObservations own = new JobObservations(ObservationRegistry.NOOP, null, null, null);
		this.contextRunner.withBean(JobObservations.class, () -> own)
			.run((context) -> assertThat(context.getBean(JobObserver.class)).isSameAs(own));
	}

	@Test
	void observationsBackOffWithoutRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LocketObservationAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobObserver.class));
	}

	@Test
	void observationsBackOffWithoutMicrometer() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LocketObservationAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketJobObservations"));
	}

	@Test
	void observationsAreMadeWithoutTracingAndMeters() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LocketObservationAutoConfiguration.class, ObservationAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer.tracing", "io.micrometer.core"))
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasSingleBean(JobObservations.class)
					.doesNotHaveBean("locketWaitTracingObservationHandler")
					.doesNotHaveBean("locketWaitMeterObservationHandler");
				run(context.getBean(JobObserver.class));
			});
	}

	@Test
	void tracesBackOffWithoutTracer() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(MicrometerTracingAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(JobObservations.class)
				.doesNotHaveBean(WaitTracingObservationHandler.class));
	}

	private static void run(JobObserver observer) {
		EnqueueObservation enqueue = observer.enqueuing(new EnqueueCall(null, null, 2, false));
		String trace = enqueue.trace();
		enqueue.end("mixed", null);
		RunObservation run = observer
			.running(new JobRun(TestRun.queued("billing.bill", "(42)"), false, Duration.ofSeconds(3), trace));
		run.leave();
		run.end(RunOutcome.SUCCEEDED, null);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnHandlerConfiguration {

		@Bean
		@Order(0)
		DefaultMeterObservationHandler ownHandler(MeterRegistry registry) {
			return new DefaultMeterObservationHandler(registry);
		}

	}

	private static final class NameCollector implements ObservationHandler<Observation.Context> {

		private final List<String> started = new ArrayList<>();

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStart(Observation.Context context) {
			this.started.add(String.valueOf(context.getName()));
		}

	}

	private static final class ShortEnqueueConvention extends DefaultEnqueueObservationConvention {

		@Override
		public String getName() {
			return "enqueue";
		}

	}

	private static final class ShortWaitConvention extends DefaultWaitObservationConvention {

		@Override
		public String getName() {
			return "wait";
		}

	}

	private static final class ShortConvention extends DefaultRunObservationConvention {

		@Override
		public String getName() {
			return "job";
		}

		@Override
		public String getContextualName(RunObservationContext context) {
			return context.getRun().context().job();
		}

	}

}
