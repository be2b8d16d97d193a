package io.locket.autoconfigure.queue;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.UniqueJob;
import io.locket.aop.TestLeaseService;
import io.locket.aop.call.RefusedCalls;
import io.locket.autoconfigure.LocketDisabledAutoConfiguration;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEnqueued;
import io.locket.event.JobEvent;
import io.locket.event.JobParked;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.JobEnqueuer;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link QueueAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class QueueAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LeaseAutoConfiguration.class,
				LocketDisabledAutoConfiguration.class, QueueAutoConfiguration.class, UniqueJobAutoConfiguration.class))
		.withBean(TestLeaseService.class);

	@Test
	void withoutAQueueNothingEnqueues() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(ArgumentCodec.class)
			.doesNotHaveBean(Jobs.class)
			.doesNotHaveBean(JobEnqueuer.class)
			.doesNotHaveBean(RefusedCalls.class));
	}

	@Test
	void queuesThatNoWorkerServesSinceThereIsNoQueueAreNamed(CapturedOutput output) {
		this.contextRunner.withPropertyValues("locket.worker.queues=invoices")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("There is no JobQueue bean, so no worker here serves [invoices]");
	}

	@Test
	void processThatServesNoneOfTheQueuesOfItsJobsLogsIt(CapturedOutput output) {
		ApplicationContextRunner queue = this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class));
		queue.withPropertyValues("locket.worker.enabled=false").run((context) -> assertThat(context).hasNotFailed());
		queue.withPropertyValues("locket.worker.queues=other").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("This process runs no queued jobs");
		queue.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("This process runs no queued jobs").contains("Jobs of queues [invoices]");
	}

	@Test
	void processWithSchedulesThatServesNoQueueAlsoLogsTheDefaultQueue(CapturedOutput output) {
		ApplicationContextRunner queue = this.contextRunner.withBean("calls", CalledJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class));
		queue.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("This process runs no queued jobs");
		queue.withPropertyValues("locket.schedules.nightly.job=calls.scan", "locket.schedules.nightly.every=1h")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("This process runs no queued jobs").contains("Jobs of queues [default]");
	}

	@Test
	void queueThatIsServedInsteadOfThatOfAJobIsNamed(CapturedOutput output) {
		ApplicationContextRunner queue = this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class));
		queue.withPropertyValues("locket.worker.queues=invoices,other")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("Check the spelling");
		queue.withPropertyValues("locket.worker.queues=invocies").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Workers here serve [invocies], to which no job here belongs, and do not serve"
				+ " [invoices], to which jobs here belong");
	}

	@Test
	void misspeltQueueIsNamedAlthoughAnotherOneIsServed(CapturedOutput output) {
		this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean("calls", CalledJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.withPropertyValues("locket.worker.queues=invocies,default")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("Workers here serve [invocies], to which no job here belongs, and do not serve"
				+ " [invoices], to which jobs here belong. Check the spelling");
	}

	@Test
	void queueWithASimilarNameIsNotTakenForMisspelt(CapturedOutput output) {
		this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean("calls", CalledJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.withPropertyValues("locket.worker.queues=invoices2,inbodies,default")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("Check the spelling");
	}

	@Test
	void queueThatGetsItsJobsByOptionsIsNotTakenForMisspelt(CapturedOutput output) {
		this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean("calls", CalledJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.withPropertyValues("locket.worker.queues=urgent,invoices")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("Check the spelling");
	}

	@Test
	void producerWithoutWorkersNamesItsNamespaceOnce(CapturedOutput output) {
		ApplicationContextRunner queue = this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.withPropertyValues("locket.namespace=shop");
		queue.withPropertyValues("locket.worker.queues=invoices")
			.run((context) -> context.getBean(Jobs.class)
				.enqueue(context.getBean(UniqueJobs.class).jobs().iterator().next().name()));
		assertThat(output).doesNotContain("Enqueuing into namespace");
		queue.run((context) -> {
			String job = context.getBean(UniqueJobs.class).jobs().iterator().next().name();
			context.getBean(Jobs.class).enqueue(job);
			context.getBean(Jobs.class).enqueue(job);
		});
		assertThat(output.getOut().split("Enqueuing into namespace 'shop'", -1)).hasSize(2);
	}

	@Test
	void queueBringsWhatEnqueues() {
		this.contextRunner.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.run((context) -> assertThat(context).hasSingleBean(Jobs.class)
				.hasSingleBean(JobEnqueuer.class)
				.hasSingleBean(RefusedCalls.class));
	}

	@Test
	void storeBringsAnAdministrationAndAQueueAloneDoesNot() {
		this.contextRunner.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.run((context) -> assertThat(context).doesNotHaveBean(JobStore.class)
				.doesNotHaveBean(JobAdministration.class));
		this.contextRunner.withBean(JobStore.class, () -> mock(JobStore.class))
			.run((context) -> assertThat(context).hasSingleBean(JobAdministration.class));
		JobAdministration own = new JobAdministration(mock(JobStore.class), mock(UniqueJobs.class),
				new ArgumentCodec());
		this.contextRunner.withBean(JobStore.class, () -> mock(JobStore.class))
			.withBean(JobAdministration.class, () -> own)
			.run((context) -> assertThat(context.getBean(JobAdministration.class)).isSameAs(own));
	}

	@Test
	void disabledLocketBringsNothing() {
		this.contextRunner.withBean(JobQueue.class, () -> mock(JobQueue.class))
			.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ArgumentCodec.class)
				.doesNotHaveBean(Jobs.class)
				.doesNotHaveBean(JobEnqueuer.class)
				.doesNotHaveBean(RefusedCalls.class));
	}

	@Test
	void codecOfTheApplicationReplacesLockets() {
		ArgumentCodec own = new ArgumentCodec();
		this.contextRunner.withBean(ArgumentCodec.class, () -> own)
			.run((context) -> assertThat(context.getBean(ArgumentCodec.class)).isSameAs(own));
	}

	@Test
	void codecWritesWithTheOnlyMapper() {
		JsonMapper snakeCase = JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		Method method = Sample.class.getMethods()[0];
		Object[] args = { new Name("x") };
		this.contextRunner
			.run((context) -> assertThat(context.getBean(ArgumentCodec.class).write(method, Sample.class, args))
				.isEqualTo("[{\"fullName\":\"x\"}]"));
		this.contextRunner.withBean("mine", JsonMapper.class, () -> snakeCase)
			.run((context) -> assertThat(context.getBean(ArgumentCodec.class).write(method, Sample.class, args))
				.isEqualTo("[{\"full_name\":\"x\"}]"));
		this.contextRunner.withBean("mine", JsonMapper.class, () -> snakeCase)
			.withBean("other", JsonMapper.class, () -> snakeCase)
			.run((context) -> assertThat(context.getBean(ArgumentCodec.class).write(method, Sample.class, args))
				.isEqualTo("[{\"fullName\":\"x\"}]"));
	}

	@Test
	void queuesThatNothingHasToDoWithAreNamed(CapturedOutput output) {
		this.contextRunner.withBean("jobs", QueuedJobs.class)
			.withPropertyValues("locket.queues.invoices.max-running=1", "locket.queues.default.max-running=1",
					"locket.queues.served.max-running=1", "locket.worker.groups.mine.queues=served",
					"locket.queues.invocies.max-running=1", "locket.schedules.nightly.queue=reprots",
					"locket.queues[eu.mail].max-running=1", "locket.schedules[eu.nightly].queue=reprots",
					"locket.schedules.hourly.queue=served", "locket.schedules.daily.job=report")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output)
					.contains("The queue 'invocies' of locket.queues.invocies is that of no @UniqueJob here")
					.contains("Known queues are [default, invoices, served]")
					.contains("The queue 'eu.mail' of locket.queues[eu.mail] is that of no @UniqueJob here")
					.contains("The queue 'reprots' of locket.schedules.nightly.queue is that of no @UniqueJob here")
					.contains(
							"The queue 'reprots' of locket.schedules[eu.nightly].queue is that of no @UniqueJob here");
			});
	}

	@Test
	void eventsOfQueuedJobsAreApplicationEvents() {
		this.contextRunner.withBean(Listener.class).run((context) -> {
			JobEvent enqueued = new JobEnqueued("id", "job", "queue", Duration.ZERO);
			JobEvent parked = new JobParked("id", "job", "queue");
			JobEventPublisher publisher = context.getBean(JobEventPublisher.class);
			publisher.publish(enqueued);
			publisher.publish(new HeartbeatCompleted(1, 0, Duration.ZERO, Duration.ZERO));
			publisher.publish(parked);
			assertThat(context.getBean(Listener.class).events).containsExactly(enqueued, parked);
		});
	}

	record Name(String fullName) {

	}

	interface Sample {

		void greet(Name name);

	}

	static class CalledJobs {

		@UniqueJob
		public void scan() {
		}

	}

	static class QueuedJobs {

		@UniqueJob(queue = "invoices")
		public void bill() {
		}

	}

	static class Listener {

		private final List<JobEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(JobEvent event) {
			this.events.add(event);
		}

	}

}
