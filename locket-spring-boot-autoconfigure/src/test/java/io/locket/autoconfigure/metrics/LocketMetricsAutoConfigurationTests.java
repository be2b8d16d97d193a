package io.locket.autoconfigure.metrics;

import io.locket.JobKey;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseAcquired;
import io.locket.metrics.LeaseMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketMetricsAutoConfiguration}.
 */
class LocketMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class));

	@Test
	void metricsAreBoundToTheRegistry() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			assertThat(context).hasSingleBean(LeaseMetrics.class).hasSingleBean(JobEventListener.class);
			context.getBean(JobEventListener.class)
				.onEvent(new LeaseAcquired(new JobKey("job", "digest", "[]"), 1, false));
			assertThat(context.getBean(MeterRegistry.class).get("locket.lease.held").gauge().value()).isOne();
		});
	}

	@Test
	void metricsAreBoundToSeveralRegistriesThroughTheirComposite() {
		SimpleMeterRegistry first = new SimpleMeterRegistry();
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.contextRunner.withBean("first", MeterRegistry.class, () -> first)
			.withBean("second", MeterRegistry.class, () -> second)
			.run((context) -> {
				context.getBean(LeaseMetrics.class)
					.onEvent(new LeaseAcquired(new JobKey("job", "digest", "[]"), 1, false));
				assertThat(first.get("locket.lease.acquisitions").counter().count()).isOne();
				assertThat(second.get("locket.lease.acquisitions").counter().count()).isOne();
			});
	}

	@Test
	void metricsBackOffWithoutRegistry() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseMetrics.class));
	}

	@Test
	void metricsBackOffWithoutMicrometer() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LocketMetricsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketLeaseMetrics"));
	}

	@Test
	void metricsBackOffWithoutMetricsOfSpringBoot() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LocketMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withClassLoader(new FilteredClassLoader(MetricsAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseMetrics.class));
	}

	@Test
	void metricsBackOffWhenLocketIsDisabled() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LeaseMetrics.class));
	}

	@Test
	void metricsBackOffWhenTheUserHasOwn() {
		LeaseMetrics own = new LeaseMetrics();
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(LeaseMetrics.class, () -> own)
			.run((context) -> assertThat(context.getBean(LeaseMetrics.class)).isSameAs(own));
	}

}
