package io.locket.examples.migration.shedlock;

import java.util.concurrent.atomic.AtomicInteger;

import io.locket.UniqueJob;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "10m")
class BothLocks {

	@Bean
	LockProvider lockProvider(RedisConnectionFactory connectionFactory) {
		return new RedisLockProvider(connectionFactory, "billing");
	}

	@Bean
	Task task() {
		return new Task();
	}

	static class Task {

		private final AtomicInteger runs = new AtomicInteger();

		@Scheduled(cron = "0 */15 * * * *")
		@SchedulerLock(name = "scheduledTaskName", lockAtMostFor = "14m", lockAtLeastFor = "14m")
		@UniqueJob(name = "scheduledTaskName", holdAtLeast = "14m")
		public void scheduledTask() {
			doSomething();
		}

		private void doSomething() {
			this.runs.incrementAndGet();
		}

		public int runs() {
			return this.runs.get();
		}

	}

}
