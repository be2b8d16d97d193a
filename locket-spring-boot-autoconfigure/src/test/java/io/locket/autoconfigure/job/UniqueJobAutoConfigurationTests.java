package io.locket.autoconfigure.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.UniqueJob;
import io.locket.aop.TestLeaseService;
import io.locket.aop.UniqueJobInterceptor;
import io.locket.autoconfigure.LocketDisabledAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseAcquired;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.UniqueJobs;
import io.locket.job.catalog.UniqueJobAdvisor;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.key.JobKeyGenerator;
import io.locket.key.JobKeys;
import io.locket.testing.LazyInitialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UniqueJobAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class UniqueJobAutoConfigurationTests {

	private static final JobKey KEY = new JobKey("job", "digest", "[]");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, LocketDisabledAutoConfiguration.class))
		.withBean(TestLeaseService.class);

	@Test
	void everythingIsThereByDefault() {
		this.contextRunner.withBean("jobs", Jobs.class)
			.run((context) -> assertThat(context).hasSingleBean(JobKeys.class)
				.hasSingleBean(JobEventPublisher.class)
				.hasSingleBean(UniqueJobCatalog.class)
				.hasSingleBean(UniqueJobs.class)
				.hasSingleBean(UniqueJobAdvisor.class)
				.hasSingleBean(UniqueJobInterceptor.class)
				.doesNotHaveBean(LocketDisabledAutoConfiguration.class));
	}

	@Test
	void onlyKeyGeneratorIsTheDefaultAndIsNamed(CapturedOutput output) {
		this.contextRunner.withBean("tenantKeys", JobKeyGenerator.class, () -> (call) -> "tenant")
			.withBean("jobs", Jobs.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce("JobKeyGenerator bean 'tenantKeys' generates the keys of jobs without key"));
	}

	@Test
	void severalKeyGeneratorsAreNoDefaultAndAreNamed(CapturedOutput output) {
		this.contextRunner.withBean("tenantKeys", JobKeyGenerator.class, () -> (call) -> "tenant")
			.withBean("userKeys", JobKeyGenerator.class, () -> (call) -> "user")
			.withBean("jobs", Jobs.class)
			.run((context) -> assertThat(output)
				.containsOnlyOnce("Keys of jobs without key and keyGenerator consist of all arguments")
				.contains("[tenantKeys, userKeys]"));
	}

	@Test
	void unusedDefaultKeyGeneratorIsNotNamed(CapturedOutput output) {
		this.contextRunner.withBean("jobs", Jobs.class)
			.run((context) -> assertThat(output).doesNotContain("without key and keyGenerator"));
	}

	@Test
	void executorsOfLocketAreNotInjectedElsewhere() {
		this.contextRunner.withBean(Taker.class).run((context) -> {
			assertThat(context).hasBean("applicationTaskExecutor");
			assertThat(context.getBean(Taker.class).executors.stream()).isEmpty();
		});
	}

	@Test
	void usersBeansReplaceOwnOnes() {
		JobKeys keys = new JobKeys();
		JobEventPublisher publisher = new JobEventPublisher(List.of());
		this.contextRunner.withBean("mine", JobKeys.class, () -> keys)
			.withBean("publisher", JobEventPublisher.class, () -> publisher)
			.run((context) -> {
				assertThat(context.getBean(JobKeys.class)).isSameAs(keys);
				assertThat(context.getBean(JobEventPublisher.class)).isSameAs(publisher);
			});
	}

	@Test
	void listenersReceiveAllEventsAndTheContextThoseOfLeases() {
		this.contextRunner.withBean(Listener.class).run((context) -> {
			JobEventPublisher publisher = context.getBean(JobEventPublisher.class);
			publisher.publish(new LeaseAcquired(KEY, 1, false));
			publisher.publish(new HeartbeatCompleted(1, 0, Duration.ZERO, Duration.ZERO));
			Listener listener = context.getBean(Listener.class);
			assertThat(listener.events).hasSize(2);
			assertThat(listener.applicationEvents).containsExactly(new LeaseAcquired(KEY, 1, false));
		});
	}

	@Test
	void eventsOfAClosedContextDoNoHarm(CapturedOutput output) {
		JobEventPublisher[] publisher = new JobEventPublisher[1];
		this.contextRunner.withUserConfiguration(LazyListener.class)
			.run((context) -> publisher[0] = context.getBean(JobEventPublisher.class));
		publisher[0].publish(new LeaseAcquired(KEY, 1, false));
		assertThat(output).doesNotContain(" failed on a ");
	}

	@Test
	void problemStopsStartUpWithLazyInitialization() {
		this.contextRunner.withBean("jobs", FinalJob.class)
			.withInitializer(new LazyInitialization())
			.run((context) -> assertThat(context).getFailure().isInstanceOf(InvalidUniqueJobException.class));
	}

	static class Jobs {

		private final List<Boolean> guarded = new ArrayList<>();

		List<Boolean> guarded() {
			return this.guarded;
		}

		@UniqueJob
		public void run() {
			this.guarded.add(JobContext.current().isPresent());
		}

	}

	static class FinalJob {

		@UniqueJob
		public final void run() {
		}

	}

	static class Listener implements JobEventListener {

		private final List<JobEvent> events = new ArrayList<>();

		private final List<JobEvent> applicationEvents = new ArrayList<>();

		@Override
		public void onEvent(JobEvent event) {
			this.events.add(event);
		}

		@EventListener
		void onApplicationEvent(LeaseAcquired event) {
			this.applicationEvents.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyListener {

		@EventListener
		void onApplicationEvent(LeaseAcquired event) {
		}

	}

	/**
	 * A bean that accepts any executor.
	 */
	static class Taker {

		private final ObjectProvider<ExecutorService> executors;

		Taker(ObjectProvider<ExecutorService> executors) {
			this.executors = executors;
		}

	}

}
