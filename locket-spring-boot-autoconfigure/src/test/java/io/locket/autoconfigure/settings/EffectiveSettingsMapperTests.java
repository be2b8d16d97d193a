package io.locket.autoconfigure.settings;

import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.settings.EffectiveSettings;
import io.locket.settings.EffectiveSettings.QueuePolicy;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EffectiveSettings}.
 */
class EffectiveSettingsMapperTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class, JobConsumerAutoConfiguration.class, SettingsAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace())
		.withBean(Reports.class);

	@Test
	void defaultsAreFilledIn() {
		this.runner.withPropertyValues("spring.application.name=shop").run((context) -> {
			EffectiveSettings settings = context.getBean(EffectiveSettings.class);
			assertThat(settings.namespace()).startsWith("test-");
			assertThat(settings.lease().registryKey()).isEqualTo("{" + settings.namespace() + "}:lease");
			assertThat(settings.lease().heartbeat()).isEqualTo(Duration.ofSeconds(10));
			assertThat(settings.leader().group()).isEqualTo("shop");
			assertThat(settings.leader().election()).isEqualTo("WITH_SCHEDULES");
			assertThat(settings.workers()).isEmpty();
			assertThat(settings.history()).isEqualTo(new EffectiveSettings.History(Duration.ofHours(1), 1000, 10));
			QueuePolicy policy = new QueuePolicy(LockStrategy.WHILE_EXECUTING, DuplicateStrategy.REJECT,
					ConflictStrategy.PARK, ConflictStrategy.REJECT, null, 0, false);
			assertThat(settings.queues()).containsOnlyKeys("default", "reports").containsValues(policy);
			assertThat(settings.queue("other")).isEqualTo(policy);
		});
	}

	@Test
	void configuredValuesAreReturnedAsTheyAreInEffect() {
		this.runner
			.withPropertyValues("locket.lease.duration=12s", "locket.job.lock=until-executed",
					"locket.job.on-conflict=raise", "locket.queues.slow.on-duplicate=replace",
					"locket.queues.slow.max-running=3", "locket.worker.queues=slow=2,default",
					"locket.worker.order=weighted", "locket.leader.enabled=false", "locket.retry.max=9")
			.withPropertyValues("locket.job.unique-for=1d", "locket.queues.slow.unique-for=2h",
					"locket.history.max-age=3h", "locket.history.max-size=30", "locket.history.attempts=4",
					"locket.dead.max-age=5d", "locket.dead.max-size=50", "locket.worker.shutdown-grace=6s")
			.run((context) -> {
				EffectiveSettings settings = context.getBean(EffectiveSettings.class);
				assertThat(settings.lease().heartbeat()).isEqualTo(Duration.ofSeconds(4));
				assertThat(settings.leader().election()).isEqualTo("NEVER");
				assertThat(settings.retry().max()).isEqualTo(9);
				assertThat(settings.history()).isEqualTo(new EffectiveSettings.History(Duration.ofHours(3), 30, 4));
				assertThat(settings.dead()).isEqualTo(new EffectiveSettings.Retention(Duration.ofDays(5), 50));
				assertThat(settings.shutdownGrace()).isEqualTo(Duration.ofSeconds(6));
				assertThat(settings.queue("slow"))
					.isEqualTo(new QueuePolicy(LockStrategy.UNTIL_EXECUTED, DuplicateStrategy.REPLACE,
							ConflictStrategy.RAISE, ConflictStrategy.RAISE, Duration.ofHours(2), 3, true));
				assertThat(settings.queue("reports").uniqueFor()).isEqualTo(Duration.ofDays(1));
				assertThat(settings.queue("reports").served()).isFalse();
				assertThat(settings.workers()).singleElement().satisfies((group) -> {
					assertThat(group.queues()).containsEntry("slow", 2).containsEntry("default", 1);
					assertThat(group.order()).isEqualTo("WEIGHTED");
				});
			});
	}

	@Test
	void policyOfAQueueIsThatOfAJobThatNamesNoStrategies() {
		this.runner
			.withPropertyValues("locket.job.on-conflict=park", "locket.queues.reports.lock=until-expired",
					"locket.queues.reports.unique-for=1h", "locket.queues.reports.on-duplicate=raise")
			.run((context) -> {
				QueuePolicy policy = context.getBean(EffectiveSettings.class).queue("reports");
				UniqueJobDefinition job = context.getBean(UniqueJobs.class).job("report");
				assertThat(policy.lock()).isEqualTo(job.lock());
				assertThat(policy.onDuplicate()).isEqualTo(job.onDuplicate());
				assertThat(policy.onConflictQueued()).isEqualTo(job.onConflictQueued());
				assertThat(policy.onConflictDirect()).isEqualTo(job.onConflict());
			});
	}

	@Test
	void thereAreNoneWhereLocketIsSwitchedOff() {
		this.runner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(EffectiveSettings.class));
	}

	static class Reports {

		@UniqueJob(name = "report", queue = "reports")
		public void write() {
			throw new IllegalStateException("Report without a worker");
		}

	}

}
