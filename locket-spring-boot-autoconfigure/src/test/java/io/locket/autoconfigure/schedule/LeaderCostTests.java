package io.locket.autoconfigure.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the numbers of commands of an idle leader and an idle follower, which they
 * print.
 */
@Tag("scale")
@Tag("alone")
class LeaderCostTests {

	private static final int SCHEDULES = 1000;

	private static final int LOOKS = 6;

	@Test
	void idleLeaderSendsTwoCommandsASecondAtTheMostAndAFollowerNextToNothing() {
		try (RedisServer server = RedisServer.start()) {
			ApplicationContextRunner runner = new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class))
				.withBean(Reports.class)
				.withPropertyValues(server.properties())
				.withPropertyValues("locket.namespace=cost");
			runner.run((leader) -> {
				leader.getBean(Schedules.class)
					.replaceAll(IntStream.range(0, SCHEDULES)
						.mapToObj((i) -> ScheduleRequest.cron("s" + i, "0 0 3 1 1 *", JobRequest.of("report", i)))
						.toList());
				await().until(leader.getBean(Leadership.class)::isLeader);
				double alone = commandsASecond(server, "leader");
				assertThat(alone).isLessThanOrEqualTo(2);
				runner.run((follower) -> {
					assertThat(follower.getBean(Leadership.class).leader()).isPresent();
					// The command that subscribes it to the release of the lease is sent
					// only once.
					await().until(() -> subscribers(server) == 1);
					assertThat(commandsASecond(server, "leader and follower")).isLessThanOrEqualTo(2.5);
					assertThat(follower.getBean(Leadership.class).isLeader()).isFalse();
				});
			});
		}
	}

	@Test
	void processWithoutSchedulesChecksForThemOnceInAnInterval() {
		try (RedisServer server = RedisServer.start()) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
						LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class))
				.withPropertyValues(server.properties())
				.withPropertyValues("locket.namespace=cost", "locket.leader.ttl=2s",
						"locket.redis.command-timeout=500ms")
				.run((idle) -> {
					try (CommandCounter counter = CommandCounter.on(server)) {
						awaitCommands(counter, "HGET", 1);
						counter.reset();
						awaitCommands(counter, "HGET", 3);
						assertThat(counter.commands()).containsOnly("HGET").hasSizeLessThanOrEqualTo(4);
					}
					assertThat(idle.getBean(Leadership.class).leader()).isEmpty();
				});
		}
	}

	private static double commandsASecond(RedisServer server, String who) {
		try (CommandCounter counter = CommandCounter.on(server)) {
			// Changed or started schedules are detected within a second.
			awaitCommands(counter, "EVALSHA", 3);
			counter.reset();
			long from = System.nanoTime();
			awaitCommands(counter, "EVALSHA", LOOKS);
			double seconds = (System.nanoTime() - from) / 1e9;
			List<String> commands = counter.commands();
			Map<String, Long> counts = commands.stream()
				.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
			System.out.printf("Idle %s of %d schedules: %.2f commands a second, %s in %.1f s%n", who, SCHEDULES,
					commands.size() / seconds, counts, seconds);
			return commands.size() / seconds;
		}
	}

	private static long subscribers(RedisServer server) {
		return server.execute("CLIENT", "LIST").toString().lines().filter((line) -> line.contains(" psub=1 ")).count();
	}

	private static void awaitCommands(CommandCounter counter, String command, int number) {
		await().atMost(Duration.ofSeconds(30))
			.until(() -> counter.commands().stream().filter(command::equals).count() >= number);
	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write(int number) {
			throw new IllegalStateException("Report without a worker " + number);
		}

	}

}
