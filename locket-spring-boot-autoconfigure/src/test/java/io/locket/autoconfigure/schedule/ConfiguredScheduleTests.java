package io.locket.autoconfigure.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.job.JobRequest;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for versions of an application with different configured schedules that run at
 * the same time, on Redis.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfiguredScheduleTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
				ConfiguredScheduleAutoConfiguration.class))
		.withBean(Reports.class)
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace());

	private final ApplicationContextRunner oldVersion = version("both.every=1h", "both.job=report", "fires.every=1s",
			"fires.job=report", "old.every=1h", "old.job=report", "changed.every=1h", "changed.job=report");

	private final ApplicationContextRunner newVersion = version("both.every=1h", "both.job=report", "fires.every=1s",
			"fires.job=report", "new.every=1h", "new.job=report", "changed.every=2h", "changed.job=report");

	private ApplicationContextRunner version(String... properties) {
		ApplicationContextRunner version = this.runner;
		for (String property : properties) {
			version = version.withPropertyValues("locket.schedules." + property);
		}
		return version;
	}

	@Test
	void schedulesAreThoseOfTheLeaderAndItsSuccessorRemovesTheOthers() {
		this.newVersion.withPropertyValues("locket.leader.enabled=false").run((follower) -> {
			Schedules schedules = follower.getBean(Schedules.class);
			Instant[] fired = new Instant[1];
			assertThatIllegalArgumentException().isThrownBy(() -> schedules.triggerNow("new"))
				.withMessageContaining("'new' yet: it is configured here");
			assertThatIllegalArgumentException().isThrownBy(() -> schedules.triggerNow("old"))
				.withMessage("There is no schedule 'old'");
			this.oldVersion.run((leader) -> {
				await().until(() -> names(schedules), List.of("both", "changed", "fires", "old")::equals);
				leader.getBean(Schedules.class).put(ScheduleRequest.every("mine", HOUR, JobRequest.of("report")));
				leader.getBean(Schedules.class).pause("both");
				await().until(() -> schedules.get("fires").orElseThrow().lastFired() != null);
				this.newVersion.run((other) -> assertThat(names(schedules)).containsExactly("both", "changed", "fires",
						"mine", "old"));
			});
			assertThat(names(schedules)).containsExactly("both", "changed", "fires", "mine", "old");
			ScheduleStatus both = schedules.get("both").orElseThrow();
			fired[0] = schedules.get("fires").orElseThrow().lastFired();
			this.newVersion.run((leader) -> {
				await().until(() -> names(schedules), List.of("both", "changed", "fires", "mine", "new")::equals);
				assertThat(schedules.get("both")).hasValue(both);
				assertThat(both.paused()).isTrue();
				assertThat(schedules.get("fires").orElseThrow().lastFired()).isAfterOrEqualTo(fired[0]);
				assertThat(schedules.get("changed").orElseThrow().definition().every()).isEqualTo(HOUR.multipliedBy(2));
				await().until(() -> schedules.get("fires").orElseThrow().lastFired().isAfter(fired[0]));
			});
			version("both.every=1h", "both.job=report")
				.run((leader) -> await().until(() -> names(schedules), List.of("both", "mine")::equals));
			this.runner.run((leader) -> await().until(() -> names(schedules), List.of("mine")::equals));
		});
	}

	@Test
	void scheduleOfRunTimeKeepsItsNameUntilItIsRemoved(CapturedOutput output) {
		this.runner.withPropertyValues("locket.leader.enabled=false")
			.run((process) -> process.getBean(Schedules.class)
				.put(ScheduleRequest.every("both", HOUR.multipliedBy(5), JobRequest.of("report"))));
		this.newVersion.run((leader) -> {
			await().until(() -> find(leader, "new").isPresent());
			assertThat(find(leader, "both").orElseThrow().definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
			assertThat(output).contains("The configured schedule 'both' does not fire");
			await().until(
					() -> output.toString().contains("This process fires 4 schedule(s) [both, changed, fires, new]"));
			Schedules schedules = leader.getBean(Schedules.class);
			assertThatIllegalArgumentException().isThrownBy(() -> schedules.remove("new"));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> schedules.put(ScheduleRequest.every("new", HOUR, JobRequest.of("report"))));
			assertThat(schedules.remove("both")).isTrue();
			await().until(() -> find(leader, "both").isPresent());
			assertThat(find(leader, "both").orElseThrow().definition().origin()).isEqualTo(ScheduleOrigin.CONFIGURED);
			assertThat(leader.getBean(Leadership.class).isLeader()).isTrue();
		});
	}

	private static Optional<ScheduleStatus> find(ApplicationContext context, String name) {
		return context.getBean(Schedules.class).get(name);
	}

	private static List<String> names(Schedules schedules) {
		return schedules.list().stream().map(ScheduleStatus::name).toList();
	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write() {
			throw new IllegalStateException("Report without a worker");
		}

	}

}
