package io.locket.examples.migration.quartz;

import java.util.TimeZone;

import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OldTriggers {

	@Bean
	JobDetail billing42() {
		return JobBuilder.newJob(BillJob.class)
			.withIdentity("billing-42")
			.usingJobData("customerId", 42L)
			.requestRecovery()
			.storeDurably()
			.build();
	}

	@Bean
	Trigger everyMonday(JobDetail billing42) {
		return TriggerBuilder.newTrigger()
			.withIdentity("every-monday")
			.forJob(billing42)
			.withSchedule(CronScheduleBuilder.cronSchedule("0 0 3 ? * 2")
				.inTimeZone(TimeZone.getTimeZone("Europe/Berlin"))
				.withMisfireHandlingInstructionDoNothing())
			.build();
	}

}
