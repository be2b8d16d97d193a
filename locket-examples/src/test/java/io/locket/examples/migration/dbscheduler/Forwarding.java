package io.locket.examples.migration.dbscheduler;

import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class Forwarding {

	static final TaskDescriptor<String> BILL = TaskDescriptor.of("bill", String.class);

	@Bean
	OneTimeTask<String> bill(Jobs jobs) {
		return Tasks.oneTime(BILL)
			.execute((instance, context) -> jobs.enqueue(EnqueueOptions.now().id("bill-" + instance.getId()),
					"billing.bill", Long.parseLong(instance.getId()), instance.getData()));
	}

}
