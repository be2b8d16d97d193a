package io.locket.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.redis.ServerCheck;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.CommandCounter;
import io.locket.testing.ReadyEvents;
import io.locket.testing.RedisServer;
import io.locket.worker.WorkerLifecycle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketHealthAutoConfiguration} and for the log of an application when
 * it is ready.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketHealthAutoConfigurationTests {

	private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

	private static RedisServer server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
				LocketHealthAutoConfiguration.class))
		.withPropertyValues(server.properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(),
				"locket.redis.command-timeout=" + COMMAND_TIMEOUT.toMillis() + "ms");

	private final ApplicationContextRunner applicationRunner = this.contextRunner
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, UniqueJobAutoConfiguration.class,
				QueueAutoConfiguration.class, WorkerAutoConfiguration.class, LeaderAutoConfiguration.class,
				HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class,
				HealthEndpointAutoConfiguration.class, AvailabilityHealthContributorAutoConfiguration.class,
				AvailabilityProbesAutoConfiguration.class, ApplicationAvailabilityAutoConfiguration.class))
		.withPropertyValues("locket.worker.queues=q", "locket.leader.enabled=true",
				"management.endpoint.health.probes.enabled=true");

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void healthIsUpWithoutAWarningWithASafePolicy(CapturedOutput output) {
		server.execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.contextRunner.run((context) -> {
			ReadyEvents.publish(context);
			ServerCheck check = context.getBean(ServerCheck.class);
			Awaitility.await().until(() -> check.policy().isPresent());
			Health health = redis(context).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("evictionPolicy", "noeviction");
			assertThat(output).doesNotContain("maxmemory-policy");
		});
	}

	@Test
	void evictingPolicyIsWarnedOfOnceTheApplicationIsReady(CapturedOutput output) {
		server.execute("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
		this.contextRunner.run((context) -> {
			ReadyEvents.publish(context);
			Awaitility.await().until(() -> output.getOut().contains("maxmemory-policy volatile-lru"));
			Health health = redis(context).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("evictionPolicy", "volatile-lru");
			assertThat(health.getDetails().get("warning")).asString().contains("noeviction");
		});
	}

	@Test
	void healthIsDownWhileRedisDoesNotReply() {
		this.contextRunner.run((context) -> {
			HealthIndicator indicator = redis(context);
			server.freeze();
			try {
				context.getBean(ServerCheck.class).run();
				assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
			}
			finally {
				server.resume();
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> indicator.health().getStatus().equals(Status.UP));
			assertThat(indicator.health().getDetails()).containsKey("evictionPolicy")
				.doesNotContainEntry("evictionPolicy", "unknown");
		});
	}

	@Test
	void healthBacksOffWithoutHealthOfSpringBoot() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketHealthContributor"));
	}

	@Test
	void healthBacksOffWhenItIsSwitchedOff() {
		this.contextRunner.withPropertyValues("management.health.locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("locketHealthContributor"));
	}

	@Test
	void healthBacksOffWhenLocketIsDisabled() {
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketHealthContributor"));
	}

	@Test
	void healthBacksOffWithoutRedis() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LocketHealthAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketHealthContributor"));
	}

	@Test
	void healthOfTheApplicationCallsRedisTwiceAndWaitsForItOnce() {
		this.applicationRunner.run((context) -> {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			Awaitility.await().until(context.getBean(Leadership.class)::isLeader);
			assertThat(components(endpoint)).containsExactly("heartbeat", "leader", "redis", "worker");
			assertThat(endpoint.healthForPath("locket").getStatus()).isEqualTo(Status.UP);
			assertProbesLeaveItOut(context.getBean(HealthEndpointGroups.class));
			context.getBean(LeaderElection.class).stop();
			context.getBean(WorkerLifecycle.class).stop();
			endpoint.healthForPath("locket");
			try (CommandCounter counter = CommandCounter.on(server)) {
				endpoint.healthForPath("locket");
				assertThat(counter.commands()).hasSize(2);
			}
			server.freeze();
			try {
				long begun = System.nanoTime();
				assertThat(endpoint.health().getStatus()).isEqualTo(Status.DOWN);
				assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(COMMAND_TIMEOUT.multipliedBy(2));
				assertThat(endpoint.healthForPath("locket", "leader").getStatus()).isEqualTo(Status.UNKNOWN);
				assertThat(endpoint.healthForPath("locket", "heartbeat").getStatus()).isEqualTo(Status.UP);
				assertThat(endpoint.healthForPath("locket", "worker").getStatus()).isEqualTo(Status.UP);
			}
			finally {
				server.resume();
			}
		});
	}

	private static void assertProbesLeaveItOut(HealthEndpointGroups groups) {
		assertThat(groups.getPrimary().isMember("locket")).isTrue();
		assertThat(groups.getNames()).containsExactlyInAnyOrder("liveness", "readiness").allSatisfy((name) -> {
			HealthEndpointGroup group = Objects.requireNonNull(groups.get(name));
			assertThat(group.isMember("locket")).isFalse();
			assertThat(group.isMember("locket/redis")).isFalse();
		});
	}

	@Test
	void processWithoutWorkerAndLeaderHasNoHealthOfThem() {
		this.contextRunner.run((context) -> assertThat(
				context.getBean("locketHealthContributor", CompositeHealthContributor.class).stream())
			.extracting(HealthContributors.Entry::name)
			.containsExactly("redis", "heartbeat"));
	}

	@Test
	void applicationMayBringItsOwn() {
		HealthIndicator own = () -> Health.up().build();
		this.contextRunner.withBean("locketHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).doesNotHaveBean("locketHealthContributor"));
	}

	private static List<String> components(HealthEndpoint endpoint) {
		return List.copyOf(((CompositeHealthDescriptor) endpoint.healthForPath("locket")).getComponents().keySet());
	}

	private static HealthIndicator redis(ApplicationContext context) {
		CompositeHealthContributor all = context.getBean("locketHealthContributor", CompositeHealthContributor.class);
		return (HealthIndicator) Objects.requireNonNull(all.getContributor("redis"));
	}

}
