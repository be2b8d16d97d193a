package io.locket.autoconfigure.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.schedule.ConfiguredScheduleAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that run all operations of leases and schedules as a Redis user with exactly the
 * documented permissions.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisPermissionsTests {

	@Test
	void documentedPermissionsAreEnough(CapturedOutput output) throws IOException {
		try (RedisServer server = RedisServer.start()) {
			server.execute(documentedCommand());
			new ApplicationContextRunner()
				.withConfiguration(
						AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
				.withPropertyValues(server.properties())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret",
						"locket.namespace=locket", "locket.lease.duration=15s", "locket.redis.command-timeout=5s",
						"locket.lease.heartbeat=500ms")
				.run((context) -> use(context.getBean(LeaseService.class), server));
			assertThat(output).doesNotContain("NOPERM").doesNotContain("Cannot subscribe");
		}
	}

	@Test
	void documentedPermissionsAreEnoughForSchedules(CapturedOutput output) throws IOException {
		try (RedisServer server = RedisServer.start()) {
			server.execute(documentedCommand());
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
						ConfiguredScheduleAutoConfiguration.class))
				.withBean(Reports.class)
				.withPropertyValues(server.properties())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret",
						"locket.namespace=locket", "locket.schedules.often.job=report",
						"locket.schedules.often.every=1s")
				.run((context) -> {
					Schedules schedules = context.getBean(Schedules.class);
					Awaitility.await()
						.until(() -> schedules.get("often").filter((status) -> status.lastFired() != null).isPresent());
					schedules.put(ScheduleRequest.every("mine", Duration.ofHours(1), JobRequest.of("report")));
					schedules.put(ScheduleRequest.every("here", Duration.ofHours(1), JobRequest.of("report"))
						.untilThisProcessEnds());
					assertThat(schedules.pause("mine")).isTrue();
					assertThat(schedules.resume("mine")).isTrue();
					schedules.triggerNow("mine");
					schedules.replaceAll(List.of());
					assertThat(schedules.remove("here")).isTrue();
					assertThat(schedules.list()).extracting(ScheduleStatus::name).containsExactly("often");
				});
			assertThat(output).doesNotContain("NOPERM").doesNotContain("Cannot subscribe");
		}
	}

	private static void use(LeaseService leases, RedisServer server) throws Exception {
		Lease lease = leases.tryAcquire("job", "x").orElseThrow();
		CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
				() -> leases.tryAcquire(LeaseRequest.of(lease.key()).waiting(Duration.ofSeconds(20))).map((next) -> {
					next.close();
					return true;
				}).orElse(false), (task) -> new Thread(task).start());
		Awaitility.await().until(() -> server.execute("PUBSUB", "NUMPAT").equals(1L));
		Awaitility.await().during(Duration.ofSeconds(2)).atMost(Duration.ofSeconds(5)).until(lease::isHeld);
		assertThat(leases.held(10)).hasSize(1);
		lease.close();
		assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
		leases.claim(lease.key(), Duration.ofSeconds(1));
		assertThat(leases.findClaim(lease.key())).isPresent();
		leases.tryAcquire(LeaseRequest.of(lease.key()).holdingAtLeast(Duration.ofSeconds(9))).orElseThrow().close();
		assertThat(leases.forceRelease(lease.key().digest())).isPresent();
	}

	private static String[] documentedCommand() throws IOException {
		return Files.readAllLines(Path.of("../docs/configuration.md"))
			.stream()
			.filter((line) -> line.startsWith("ACL SETUSER"))
			.findFirst()
			.orElseThrow()
			.split(" ");
	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write() {
			throw new IllegalStateException("Report without a worker");
		}

	}

}
