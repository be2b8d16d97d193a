package io.locket.redis;

import java.time.Duration;
import java.util.Properties;

import io.locket.LeaseUnavailableException;
import io.locket.autoconfigure.health.LocketHealthAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.LeaseService;
import io.locket.testing.OldRedis;
import io.locket.testing.ReadyEvents;
import io.locket.testing.RedisServer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerCheck}, and for the reports of an application about an unusable
 * server.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServerCheckTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class,
				LocketHealthAutoConfiguration.class))
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace());

	@Test
	void versionIsADetailOfHealth() {
		this.runner.withPropertyValues(RedisServer.shared().properties()).run((context) -> {
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails().get("version")).asString().matches("\\d+\\.\\d+.*");
			assertThat(health.getDetails()).doesNotContainKeys("reason", "missingPermissions");
		});
	}

	@Test
	void redisThatIsTooOldIsNamedOnceAndTakesHealthDown(CapturedOutput output) {
		try (OldRedis server = OldRedis.start()) {
			this.runner.withPropertyValues(server.properties()).run((context) -> {
				ServerCheck check = context.getBean(ServerCheck.class);
				assertThat(check.run()).isTrue();
				check.run();
				assertThat(output.getOut().split("Redis 5.0.14 is too old for Locket", -1)).hasSize(2);
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails().get("reason")).asString().contains("5.0.14", "6.2");
			});
		}
	}

	@Test
	void wrongPasswordIsNamedAndNotTakenForAnOutage(CapturedOutput output) {
		RedisServer server = RedisServer.shared();
		this.runner.withPropertyValues(server.properties())
			.withPropertyValues("spring.data.redis.password=wrong", "spring.data.redis.username=nobody")
			.run((context) -> {
				assertRefused(context, "WRONGPASS", "spring.data.redis.password");
				Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
					context.getBean(ServerCheck.class).run();
					assertThat(output).contains("ERROR").contains("WRONGPASS");
				});
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails().toString()).contains("WRONGPASS");
			});
	}

	@Test
	void missingPasswordIsNamed() {
		try (RedisServer server = RedisServer.start()) {
			server.execute("CONFIG", "SET", "requirepass", "secret");
			this.runner.withPropertyValues(server.properties()).run((context) -> assertRefused(context, "NOAUTH"));
		}
	}

	@Test
	void nodeOfAClusterThatIsUsedAsASingleServerIsNamedOnce(CapturedOutput output) {
		try (RedisServer node = RedisServer.start("--cluster-enabled", "yes")) {
			this.runner.withPropertyValues(node.properties()).run((context) -> {
				ServerCheck check = context.getBean(ServerCheck.class);
				check.run();
				check.run();
				assertThat(output.getOut().split("spring.data.redis.cluster.nodes is not set", -1)).hasSize(2);
				assertThatExceptionOfType(LeaseUnavailableException.class)
					.isThrownBy(() -> context.getBean(LeaseService.class).tryAcquire("report"))
					.withMessageContaining("spring.data.redis.cluster.nodes");
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "redis_mode, cluster, true", "127.0.0.1:6379.redis_mode, cluster, true", "server_mode, cluster, true",
			"redis_mode, standalone, false", "server_mode, standalone, false" })
	void modeIsThatOfRedisOrOfValkey(String field, String mode, boolean cluster) {
		Properties info = new Properties();
		info.setProperty(field, mode);
		assertThat(ServerCheck.isCluster(info)).isEqualTo(cluster);
	}

	@Test
	void nothingIsReportedWhenTheContextIsClosedDuringTheCheck(CapturedOutput output) {
		this.runner.withPropertyValues(RedisServer.shared().properties()).run((context) -> {
			ServerCheck check = context.getBean(ServerCheck.class);
			context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
			assertThat(check.run()).isFalse();
		});
		assertThat(output).doesNotContain("Redis does not return its version");
	}

	@Test
	void applicationThatNeverReachedRedisHoldsNoLeases(CapturedOutput output) {
		this.runner.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=1")
			.run((context) -> {
				for (int i = 0; i < 9; i++) {
					assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> context.getBean(LeaseService.class).tryAcquire("report"));
				}
			});
		assertThat(output).doesNotContain("The context was closed while");
	}

	@Test
	@Tag("scale")
	void findingsAreReportedAtTheFirstConnectionIfRedisComesLater(CapturedOutput output) {
		RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru");
		server.stop();
		try (server) {
			this.runner.withPropertyValues(server.properties()).run((context) -> {
				ReadyEvents.publish(context);
				assertThatExceptionOfType(LeaseUnavailableException.class)
					.isThrownBy(() -> context.getBean(LeaseService.class).tryAcquire("report"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> output.getOut().contains("Redis does not respond. The application has started"));
				server.restart();
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> output.getOut().contains("Redis has the maxmemory-policy allkeys-lru"));
			});
		}
	}

	/**
	 * Asserts that a lease is refused for the user or the password. Lettuce may lose the
	 * reply of Redis if the connection is closed quickly, so a few attempts are allowed.
	 */
	private static void assertRefused(AssertableApplicationContext context, String... reasons) {
		LeaseService leases = context.getBean(LeaseService.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> leases.tryAcquire("report"))
				.withMessageStartingWith("Redis does not accept the user or the password")
				.extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
				.contains(reasons));
	}

	private static Health health(AssertableApplicationContext context) {
		CompositeHealthContributor locket = context.getBean("locketHealthContributor",
				CompositeHealthContributor.class);
		return ((HealthIndicator) locket.getContributor("redis")).health();
	}

}
