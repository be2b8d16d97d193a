package io.locket.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobKey;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.event.CallEnded;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseAcquired;
import io.locket.event.ReservationCompleted;
import io.locket.event.ScheduleMissed;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.metrics.CallMetrics;
import io.locket.metrics.JobMetrics;
import io.locket.metrics.LeaderMetrics;
import io.locket.metrics.LeaseMetrics;
import io.locket.metrics.QueueMetrics;
import io.locket.metrics.ReservationMetrics;
import io.locket.metrics.ScheduleMetrics;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.RedisServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LocketMetricsAutoConfiguration}.
 */
class LocketMetricsAutoConfigurationTests {

	private static final JobKey KEY = new JobKey("job", "digest", "[]");

	private static final List<JobEvent> EVENTS = List.of(new LeaseAcquired(KEY, 1, false),
			new JobEnqueued("1", "job", "default", Duration.ZERO), new CallEnded(KEY, Duration.ofMillis(5), null),
			new ReservationCompleted(0, Duration.ofMillis(5), null),
			new ScheduleMissed("nightly", Instant.EPOCH, Instant.EPOCH, 3));

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LocketMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class));

	@Test
	void metricsAreBoundToTheRegistry() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBeansOfType(JobEventListener.class)
				.values()
				.forEach((listener) -> EVENTS.forEach(listener::onEvent));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("locket.lease.held").gauge().value()).isOne();
			assertThat(registry.get("locket.job.enqueues").tag("outcome", "accepted").counter().count()).isOne();
			assertThat(registry.get("locket.call.executions").timer().count()).isOne();
			assertThat(registry.get("locket.reservations").timer().count()).isOne();
			assertThat(registry.get("locket.schedule.missed").counter().count()).isEqualTo(3);
		});
	}

	@Test
	void leaderIsTheConcernOfProcessesThatMayBecomeIt() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).find("locket.leader").meter()).isNull());
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(LeaderElection.class, () -> mock(LeaderElection.class))
			.withBean(Leadership.class, LocketMetricsAutoConfigurationTests::leading)
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("locket.leader").gauge().value()).isOne();
				assertThat(registry.get("locket.leader.term").gauge().value()).isEqualTo(7);
			});
	}

	@Test
	void processThatLeadsIsMeasuredAsLeader() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					LeaderAutoConfiguration.class))
			.withPropertyValues("locket.leader.enabled=true")
			.withPropertyValues(RedisServer.shared().properties())
			.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				await().until(() -> registry.get("locket.leader").gauge().value() == 1);
				assertThat(registry.get("locket.leader.term").gauge().value()).isPositive();
			});
	}

	@Test
	void queuesAreTheConcernOfProcessesThatCanReadThem() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(QueueMetrics.class));
		InMemoryJobQueue memory = new InMemoryJobQueue();
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(JobAdministration.class,
					() -> new JobAdministration(memory, mock(UniqueJobs.class), new ArgumentCodec()))
			.run((context) -> {
				memory.pause("invoices");
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("locket.queue.known").gauge().value()).isOne();
				assertThat(registry.get("locket.queue.paused").tag("queue", "invoices").gauge().value()).isOne();
			});
	}

	@Test
	void metricsAreBoundToSeveralRegistriesThroughTheirComposite() {
		SimpleMeterRegistry first = new SimpleMeterRegistry();
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.contextRunner.withBean("first", MeterRegistry.class, () -> first)
			.withBean("second", MeterRegistry.class, () -> second)
			.run((context) -> {
				context.getBean(LeaseMetrics.class).onEvent(new LeaseAcquired(KEY, 1, false));
				assertThat(first.get("locket.lease.acquisitions").tag("outcome", "acquired").counter().count()).isOne();
				assertThat(second.get("locket.lease.acquisitions").tag("outcome", "acquired").counter().count())
					.isOne();
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
		ownOneIsUsed(LeaseMetrics.class, new LeaseMetrics());
		ownOneIsUsed(JobMetrics.class, new JobMetrics());
		ownOneIsUsed(CallMetrics.class, new CallMetrics());
		ownOneIsUsed(ReservationMetrics.class, new ReservationMetrics());
		ownOneIsUsed(ScheduleMetrics.class, new ScheduleMetrics());
		ownOneIsUsed(LeaderMetrics.class, new LeaderMetrics(() -> 0, () -> false));
		ownOneIsUsed(QueueMetrics.class, new QueueMetrics(() -> {
			throw new IllegalStateException("not asked");
		}, Duration.ofSeconds(5), System::nanoTime));
	}

	@Test
	void registryThatOutlivesTheContextIsLeftWithoutGauges() {
		SimpleMeterRegistry outside = new SimpleMeterRegistry();
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(JobAdministration.class,
					() -> new JobAdministration(new InMemoryJobQueue(), mock(UniqueJobs.class), new ArgumentCodec()))
			.withBean(LeaderElection.class, () -> mock(LeaderElection.class))
			.withBean(Leadership.class, LocketMetricsAutoConfigurationTests::leading)
			.run((context) -> {
				context.getBean(QueueMetrics.class).bindTo(outside);
				context.getBean(LeaderMetrics.class).bindTo(outside);
				context.getBean(LeaseMetrics.class).bindTo(outside);
				context.getBean(LeaseMetrics.class).onEvent(new LeaseAcquired(KEY, 1, false));
				assertThat(outside.get("locket.queue.known").gauge().value()).isZero();
				assertThat(outside.get("locket.leader").gauge().value()).isOne();
				assertThat(outside.get("locket.lease.held").gauge().value()).isOne();
			});
		assertThat(outside.getMeters()).isNotEmpty().doesNotHaveAnyElementsOfTypes(Gauge.class);
	}

	private static Leadership leading() {
		Leadership leadership = mock(Leadership.class);
		given(leadership.term()).willReturn(7L);
		return leadership;
	}

	private <T> void ownOneIsUsed(Class<T> type, T own) {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(LeaderElection.class, () -> mock(LeaderElection.class))
			.withBean(Leadership.class, LocketMetricsAutoConfigurationTests::leading)
			.withBean(JobAdministration.class, () -> mock(JobAdministration.class))
			.withBean(type, () -> own)
			.run((context) -> assertThat(context.getBean(type)).isSameAs(own));
	}

}
