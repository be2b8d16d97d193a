package io.locket.examples.migration.quartz;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Properties;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.impl.StdSchedulerFactory;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/quartz.md.
 */
class QuartzExamplesTests {

	private final ApplicationContextRunner application = Examples.application(Billing.class, OldTriggers.class)
		.withInitializer(Examples.configurationOf("docs/migration/quartz.md"));

	@Test
	void scheduleFiresAtTheTimesOfTheTrigger() {
		this.application.run((context) -> {
			Schedules schedules = context.getBean(Schedules.class);
			await().until(() -> schedules.list().size() == 1);
			Trigger trigger = context.getBean(Trigger.class);
			ZonedDateTime next = trigger.getFireTimeAfter(new Date()).toInstant().atZone(ZoneId.of("Europe/Berlin"));
			assertThat(schedules.get("billing-42").orElseThrow().nextFiring()).isEqualTo(next.toInstant());
		});
	}

	@Test
	void firingOfQuartzWhoseKeyIsHeldIsEnqueued() {
		this.application.withPropertyValues("locket.worker.queues=default").run((context) -> {
			Billing billing = context.getBean(Billing.class);
			JobStore store = context.getBean(JobStore.class);
			LeaseRequest key = LeaseRequest.of(context.getBean(UniqueJobs.class).keyOf("billing.bill", 42));
			Scheduler scheduler = scheduler(billing);
			JobDetail job = context.getBean(JobDetail.class);
			scheduler.scheduleJob(job, context.getBean(Trigger.class));
			scheduler.start();
			try (Lease held = context.getBean(LeaseService.class).tryAcquire(key).orElseThrow()) {
				scheduler.triggerJob(job.getKey());
				await().until(() -> store.counts("default").in(JobState.PARKED) == 1);
				assertThat(billing.bills()).isEmpty();
			}
			await().until(() -> billing.bills().size() == 1);
			scheduler.triggerJob(job.getKey());
			await().until(() -> billing.bills().size() == 2);
			assertThat(store.counts("default").accepted()).isOne();
			scheduler.shutdown(true);
		});
	}

	private static Scheduler scheduler(Billing billing) throws Exception {
		Properties properties = new Properties();
		properties.setProperty("org.quartz.threadPool.threadCount", "2");
		Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
		scheduler.setJobFactory((bundle, owner) -> new BillJob(billing));
		return scheduler;
	}

}
