package io.locket.examples.migration.dbscheduler;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.FailureHandler;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OldTasks {

	static final TaskDescriptor<String> BILL = TaskDescriptor.of("bill", String.class);

	@Bean
	OneTimeTask<String> bill(Billing billing) {
		return Tasks.oneTime(BILL)
			.onFailure(FailureHandler.<String>maxRetries(3).withBackoff(Duration.ofSeconds(15)).thenRemove())
			.execute((instance, context) -> billing.bill(Long.parseLong(instance.getId()), instance.getData()));
	}

	@Bean
	RecurringTask<Void> closeDay(Billing billing) {
		return Tasks.recurring("close-day", Schedules.daily(ZoneId.of("Europe/Berlin"), LocalTime.of(3, 0)))
			.execute((instance, context) -> billing.closeDay());
	}

	static boolean produce(SchedulerClient client, Instant midnight) {
		boolean scheduled = client
			.scheduleIfNotExists(OldTasks.BILL.instance("42").data("2026-05").scheduledTo(midnight));

		return scheduled;
	}

}
