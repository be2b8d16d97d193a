package io.locket.aop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.autoconfigure.queue.WorkerAutoConfiguration;
import io.locket.job.EnqueueOptions;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobStore;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs of an interface that has a decorator, so that each call passes two
 * proxies.
 */
class DecoratedJobTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
				WorkerAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.worker.queues=default",
				"spring.aop.proxy-target-class=false")
		.withUserConfiguration(Decorated.class);

	@ParameterizedTest
	@EnumSource(names = { "WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void queuedJobRunsInsideItsDecorator(LockStrategy lock) {
		this.contextRunner.run((context) -> {
			EnqueueResult result = context.getBean(Jobs.class).enqueue(lock.name());
			String id = ((EnqueueResult.Accepted) result).id();
			JobStore store = context.getBean(JobStore.class);
			Awaitility.await().until(() -> store.find(id).orElseThrow().state() == JobState.SUCCEEDED);
			assertThat(context.getBean(Calls.class).names()).containsExactly("decorator", "plain");
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void directCallRunsInsideItsDecorator(LockStrategy lock) {
		this.contextRunner.run((context) -> {
			Report report = context.getBean(Report.class);
			if (lock == LockStrategy.UNTIL_EXPIRED) {
				report.daily();
			}
			else {
				report.run();
			}
			assertThat(context.getBean(Calls.class).names()).containsExactly("decorator", "plain");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { Report.class, PlainReport.class, DecoratingReport.class })
	void jobIsFoundByTheClassOfEachOfItsBeans(Class<?> type) {
		this.contextRunner.withPropertyValues("locket.worker.enabled=false").run((context) -> {
			context.getBean(Jobs.class).enqueue(EnqueueOptions.now().queue("reports"), "WHILE_EXECUTING");
			JobFilter filter = JobFilter.waiting().job(type).queue("reports");
			assertThat(context.getBean(JobAdministration.class).list(filter, 10, null).jobs()).isNotEmpty();
		});
	}

	interface Report {

		@UniqueJob(name = "WHILE_EXECUTING")
		void run();

		@UniqueJob(name = "UNTIL_EXPIRED", lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		void daily();

	}

	record Calls(List<String> names) {

	}

	record PlainReport(Calls calls) implements Report {

		@Override
		public void run() {
			this.calls.names().add("plain");
		}

		@Override
		public void daily() {
			this.calls.names().add("plain");
		}

	}

	record DecoratingReport(Report plain, Calls calls) implements Report {

		@Override
		public void run() {
			this.calls.names().add("decorator");
			this.plain.run();
		}

		@Override
		public void daily() {
			this.calls.names().add("decorator");
			this.plain.daily();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Decorated {

		@Bean
		Calls calls() {
			return new Calls(new CopyOnWriteArrayList<>());
		}

		@Bean
		Report plain(Calls calls) {
			return new PlainReport(calls);
		}

		@Bean
		@Primary
		Report decorator(Report plain, Calls calls) {
			return new DecoratingReport(plain, calls);
		}

	}

}
