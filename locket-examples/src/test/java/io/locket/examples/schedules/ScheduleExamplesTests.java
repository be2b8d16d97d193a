package io.locket.examples.schedules;

import java.util.List;

import io.locket.examples.Examples;
import io.locket.job.JobRequest;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/schedules.md.
 */
class ScheduleExamplesTests {

	private final ApplicationContextRunner application = Examples.application(Billing.class, Timetable.class);

	@Test
	void schedulesOfTheConfigurationFire() {
		this.application.withInitializer(Examples.configurationOf("docs/schedules.md"))
			.withPropertyValues("locket.schedules.report.every=1s", "locket.worker.queues=reports")
			.run((context) -> {
				Schedules schedules = context.getBean(Schedules.class);
				await().untilAsserted(() -> assertThat(schedules.list()).extracting(ScheduleStatus::name)
					.containsExactly("close-month", "report"));
				await().untilAsserted(() -> assertThat(context.getBean(Billing.class).written()).contains("daily 20"));
				// On a busy machine, a job can still run at the next second.
				await().untilAsserted(() -> assertThat(schedules.get("report").orElseThrow().lastResult())
					.isInstanceOf(EnqueueResult.Accepted.class));
			});
	}

	@Test
	void schedulesArePutUpdatedAndRemovedAtRunTime() {
		this.application.run((context) -> {
			Timetable timetable = context.getBean(Timetable.class);
			timetable.put();
			assertThat(timetable.look()).isEqualTo("[report-north, watch] true true");
			assertThat(timetable.update()).isInstanceOf(EnqueueResult.Accepted.class);
			timetable.replaceAll(List.of(ScheduleRequest.cron("nightly", "@midnight", JobRequest.of("billing.close"))));
			assertThat(context.getBean(Schedules.class).list()).singleElement().satisfies((schedule) -> {
				assertThat(schedule.name()).isEqualTo("nightly");
				assertThat(schedule.definition().origin()).isEqualTo(ScheduleOrigin.PERSISTENT);
			});
		});
	}

}
