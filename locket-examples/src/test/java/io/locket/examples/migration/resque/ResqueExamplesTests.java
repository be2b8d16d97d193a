package io.locket.examples.migration.resque;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueCounts;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/resque.md.
 */
class ResqueExamplesTests {

	private final ApplicationContextRunner application = Examples
		.application(Emails.class, Orders.class, Leaderboards.class)
		.withInitializer(Examples.configurationOf("docs/migration/resque.md"));

	@Test
	void queueIsUniqueWhileJobsWaitAndWhileTheyRun() {
		this.application.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Emails emails = context.getBean(Emails.class);
			JobStore store = context.getBean(JobStore.class);
			context.getBean(Orders.class).accept(7, Instant.now());
			assertThat(store.counts("emails").in(JobState.SCHEDULED)).isOne();
			await().until(() -> emails.sent().size() == 1);
			assertThat(jobs.enqueue("emails.confirm", 7)).as("the first one runs")
				.isInstanceOf(EnqueueResult.Accepted.class);
			assertThat(jobs.enqueue("emails.confirm", 7)).as("the second one waits")
				.isInstanceOf(EnqueueResult.Duplicate.class);
			await().until(() -> store.counts("emails").in(JobState.PARKED) == 1);
			assertThat(jobs.enqueue("emails.confirm", 8)).isInstanceOf(EnqueueResult.Accepted.class);
			await().until(() -> emails.sent().contains("confirmation of order 8"));
			emails.open();
			await().untilAsserted(() -> {
				QueueCounts counts = store.counts("emails");
				assertThat(counts.in(JobState.SUCCEEDED)).isEqualTo(3);
			});
			assertThat(store.verify()).isEmpty();
		});
	}

	@Test
	void delayedJobsAreCountedRemovedAndRun() {
		Examples.application(Emails.class, Delayed.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Instant due = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
			for (int order = 6; order < 10; order++) {
				jobs.enqueue(EnqueueOptions.at(due.plusSeconds(-10 * order)), "emails.remind", order, Instant.EPOCH);
			}
			assertThat(context.getBean(Delayed.class).update(Instant.EPOCH, due.minusSeconds(80)))
				.isEqualTo("4 [9, 8, 7, 6] 1 1 1 1");
		});
	}

	@Test
	void scheduleFiresAtSixThirtyOnMondays() {
		this.application.run((context) -> await().untilAsserted(() -> {
			ScheduleStatus schedule = context.getBean(Schedules.class)
				.get("clear-leaderboards-contributors")
				.orElseThrow();
			assertThat(Objects.requireNonNull(schedule.nextFiring()).atZone(schedule.definition().zone()))
				.satisfies((next) -> {
					assertThat(next.getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
					assertThat(next.toLocalTime()).isEqualTo(LocalTime.of(6, 30));
				});
		}));
	}

	@Test
	void generatorMakesAllJobsUniqueWithinTheirQueue() {
		Examples.application(UniqueInQueue.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThat(jobs.enqueue("cleaning.clean")).isInstanceOf(EnqueueResult.Accepted.class);
			assertThat(jobs.enqueue("cleaning.clean")).isInstanceOf(EnqueueResult.Duplicate.class);
			EnqueueOptions elsewhere = EnqueueOptions.now().queue("elsewhere");
			assertThat(jobs.enqueue(elsewhere, "cleaning.clean")).isInstanceOf(EnqueueResult.Accepted.class);
			assertThat(jobs.enqueue(elsewhere, "cleaning.clean")).isInstanceOf(EnqueueResult.Duplicate.class);
		});
	}

	@Test
	void timeOfTheStartIsLeftOutOfTheKey() {
		this.application.run((context) -> {
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			assertThat(jobs.keyOf("emails.remind", 7L, Instant.EPOCH))
				.isEqualTo(jobs.keyOf("emails.remind", 7L, Instant.now()));
		});
	}

}
