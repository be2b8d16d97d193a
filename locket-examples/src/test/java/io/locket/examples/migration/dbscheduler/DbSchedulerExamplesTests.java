package io.locket.examples.migration.dbscheduler;

import java.time.Duration;
import java.time.Instant;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.EnqueueResult.Duplicate;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the examples in docs/migration/db-scheduler.md.
 */
class DbSchedulerExamplesTests {

	private static final Instant MIDNIGHT = Instant.now().plus(Duration.ofHours(1));

	private final ExecutionContext execution = mock(ExecutionContext.class);

	private final SchedulerClient client = mock(SchedulerClient.class);

	@Test
	void oldTasksCallTheGuardedMethods() {
		Examples.application(Billing.class, OldTasks.class).run((context) -> {
			oneTime(context.getBean(OneTimeTask.class)).execute(OldTasks.BILL.instance("42").data("2026-05").build(),
					this.execution);
			RecurringTask<?> closeDay = context.getBean(RecurringTask.class);
			assertThat(closeDay.getName()).isEqualTo("close-day");
			assertThat(context.getBean(Billing.class).bills()).containsExactly("42 2026-05");
		});
	}

	@Test
	void secondJobOfAnInstanceIsNotScheduled() {
		given(this.client.scheduleIfNotExists(ArgumentMatchers.<SchedulableInstance<String>>any())).willReturn(true,
				false);
		assertThat(OldTasks.produce(this.client, MIDNIGHT)).isTrue();
		assertThat(OldTasks.produce(this.client, MIDNIGHT)).isFalse();
		Examples.application(Billing.class, Producer.class).run((context) -> {
			Producer producer = context.getBean(Producer.class);
			Accepted first = (Accepted) producer.produce(MIDNIGHT);
			assertThat(producer.produce(MIDNIGHT)).isEqualTo(new Duplicate(first.id(), JobState.SCHEDULED));
		});
	}

	@Test
	void scheduleReplacesTheRecurringTask() {
		Examples.application(Billing.class)
			.withInitializer(Examples.configurationOf("docs/migration/db-scheduler.md"))
			.run((context) -> await()
				.untilAsserted(() -> assertThat(context.getBean(Schedules.class).list()).singleElement()
					.satisfies((schedule) -> assertThat(schedule.name()).isEqualTo("close-day"))));
	}

	@Test
	void forwardingTaskMayRunTwice() {
		Examples.application(Billing.class, Forwarding.class)
			.withPropertyValues("locket.worker.queues=default")
			.run((context) -> {
				OneTimeTask<String> task = oneTime(context.getBean(OneTimeTask.class));
				JobStore store = context.getBean(JobStore.class);
				task.execute(Forwarding.BILL.instance("42").data("2026-05").build(), this.execution);
				await().until(() -> store.find("bill-42").orElseThrow().state() == JobState.SUCCEEDED);
				task.execute(Forwarding.BILL.instance("42").data("2026-05").build(), this.execution);
				assertThat(store.counts("default").accepted()).isOne();
				assertThat(context.getBean(Billing.class).bills()).containsExactly("42 2026-05");
			});
	}

	@SuppressWarnings("unchecked")
	private static OneTimeTask<String> oneTime(OneTimeTask<?> task) {
		return (OneTimeTask<String>) task;
	}

}
