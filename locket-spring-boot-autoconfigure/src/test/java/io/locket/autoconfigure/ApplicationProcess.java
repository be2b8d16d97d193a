package io.locket.autoconfigure;

import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.autoconfigure.schedule.ConfiguredScheduleAutoConfiguration;
import io.locket.autoconfigure.schedule.LeaderAutoConfiguration;
import io.locket.autoconfigure.schedule.ScheduleAutoConfiguration;
import io.locket.event.LeadershipEvent;
import io.locket.job.Jobs;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * An application without a web server in a separate process. Its {@code main} method ends
 * after the application has started and enqueued a job.
 */
final class ApplicationProcess {

	private ApplicationProcess() {
	}

	static void main(String[] args) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		ConfigurableApplicationContext context = application.run(args);
		System.out.println("enqueued " + context.getBean(Jobs.class).enqueue("report"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
			LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
			WorkerAutoConfiguration.class, LeaderAutoConfiguration.class, ScheduleAutoConfiguration.class,
			ConfiguredScheduleAutoConfiguration.class })
	static class Application {

		@Bean
		Leaders leaders() {
			return new Leaders();
		}

		@Bean
		Reports reports() {
			return new Reports();
		}

	}

	static class Leaders {

		@EventListener
		void on(LeadershipEvent event) {
			System.out.println(event);
		}

	}

	static class Reports {

		@UniqueJob(name = "report")
		public void write() {
			System.out.println("report written");
		}

	}

}
