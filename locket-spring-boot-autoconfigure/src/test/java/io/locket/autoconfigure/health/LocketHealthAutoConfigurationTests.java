package io.locket.autoconfigure.health;

import java.time.Duration;

import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.health.LocketHealthIndicator;
import io.locket.queue.redis.MemoryPolicyCheck;
import io.locket.test.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LocketHealthAutoConfiguration}, and for what an application says when
 * it is ready.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocketHealthAutoConfigurationTests {

	private static RedisServer server;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
				LocketHealthAutoConfiguration.class))
		.withPropertyValues(server.properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.redis.command-timeout=500ms");

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Test
	void healthIsUpAndNothingIsSaidWithASafePolicy(CapturedOutput output) {
		server.execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.contextRunner.run((context) -> {
			ready(context.getSourceApplicationContext());
			MemoryPolicyCheck check = context.getBean(MemoryPolicyCheck.class);
			Awaitility.await().until(() -> check.policy().isPresent());
			Health health = context.getBean(LocketHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("evictionPolicy", "noeviction");
			assertThat(output).doesNotContain("maxmemory-policy");
		});
	}

	@Test
	void evictingPolicyIsWarnedOfOnceTheApplicationIsReady(CapturedOutput output) {
		server.execute("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
		this.contextRunner.run((context) -> {
			ready(context.getSourceApplicationContext());
			Awaitility.await().until(() -> output.getOut().contains("maxmemory-policy volatile-lru"));
			Health health = context.getBean(LocketHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("evictionPolicy", "volatile-lru");
			assertThat(health.getDetails().get("warning")).asString().contains("noeviction");
		});
	}

	@Test
	void healthIsDownWhileRedisGivesNoAnswer() {
		this.contextRunner.run((context) -> {
			HealthIndicator indicator = context.getBean("locketHealthIndicator", HealthIndicator.class);
			server.freeze();
			try {
				context.getBean(MemoryPolicyCheck.class).run();
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
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("locketHealthIndicator"));
	}

	@Test
	void healthBacksOffWhenItIsSwitchedOff() {
		this.contextRunner.withPropertyValues("management.health.locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LocketHealthIndicator.class));
	}

	@Test
	void healthBacksOffWhenLocketIsDisabled() {
		this.contextRunner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketHealthIndicator.class));
	}

	@Test
	void healthBacksOffWithoutRedis() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LocketHealthAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LocketHealthIndicator.class));
	}

	private static void ready(ConfigurableApplicationContext context) {
		context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
	}

}
