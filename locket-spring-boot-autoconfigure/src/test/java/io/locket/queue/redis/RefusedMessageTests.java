package io.locket.queue.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.locket.LockStrategy;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a user with all documented permissions except publishing. A message is only a
 * hint, so calls succeed without it.
 */
class RefusedMessageTests {

	RedisServer startServer() {
		return RedisServer.start();
	}

	@Test
	@Tag("scale")
	void documentedPermissionsAreEnough() {
		asUser("on", (fixture, leases) -> {
			try (QueueWork work = new QueueWork(fixture, leases)) {
				work.run();
			}
		});
	}

	@Test
	void callsSucceedWithoutPermissionToPublish() {
		asUser("resetchannels", RefusedMessageTests::callsSucceed);
		asUser("-publish", RefusedMessageTests::callsSucceed);
	}

	private static void callsSucceed(QueueFixture fixture, LeaseService leases) {
		NewJob job = QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, "k");
		assertThat(fixture.queue.enqueue(job)).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.WHILE_EXECUTING, "k")))
			.isEqualTo(new EnqueueResult.Accepted("b"));
		ReservedJob run = fixture.reserve(1, "default").jobs().get(0);
		assertThat(fixture.reserve(1, "default").jobs()).as("the job is parked").isEmpty();
		assertThat(fixture.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
		ReservedJob next = fixture.reserve(1, "default").jobs().get(0);
		assertThat(fixture.queue.settle(List.of(RunEnd.retry(next, Duration.ZERO, "x")), null).ends().get(0).counted())
			.isTrue();
		assertThat(fixture.store.verify()).isEmpty();
		leases.tryAcquire("job", "free").orElseThrow().close();
		try (Lease forced = leases.tryAcquire("job", "forced").orElseThrow()) {
			assertThat(leases.forceRelease(forced.key().digest())).isPresent();
		}
		assertThat(leases.isAvailable(leases.keyOf("job", "forced"))).isTrue();
	}

	private void asUser(String rule, Use use) {
		try (RedisServer server = startServer()) {
			server.execute(documented());
			server.execute("ACL", "SETUSER", "app", rule);
			new ApplicationContextRunner()
				.withConfiguration(
						AutoConfigurations.of(DataRedisAutoConfiguration.class, LeaseAutoConfiguration.class))
				.withPropertyValues(server.properties())
				.withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret",
						"locket.namespace=locket")
				.run((context) -> {
					try (QueueFixture fixture = QueueFixture.create(context.getBean(RedisConnections.class),
							"locket")) {
						use.with(fixture, context.getBean(LeaseService.class));
					}
				});
		}
	}

	private static String[] documented() {
		try (Stream<String> lines = Files.lines(Path.of("../docs/configuration.md"))) {
			return lines.filter((line) -> line.startsWith("ACL SETUSER")).findFirst().orElseThrow().split(" ");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@FunctionalInterface
	private interface Use {

		void with(QueueFixture fixture, LeaseService leases) throws Exception;

	}

}
