package io.locket.examples.migration.jobrunr;

import java.time.Duration;
import java.time.Instant;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult.Accepted;
import io.locket.queue.spi.JobStore;
import io.locket.schedule.Schedules;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/migration/jobrunr.md.
 */
class JobRunrExamplesTests {

	private final Jackson3JsonMapper mapper = new Jackson3JsonMapper();

	private final InMemoryStorageProvider storage = storage();

	private InMemoryStorageProvider storage() {
		InMemoryStorageProvider storage = new InMemoryStorageProvider();
		storage.setJobMapper(new JobMapper(this.mapper));
		return storage;
	}

	@Test
	void bothEnqueueNowAndForLater() {
		Instant midnight = Instant.now().plus(Duration.ofHours(1));
		new OldProducer(new JobScheduler(this.storage)).produce(midnight);
		assertThat(this.storage.countJobs(StateName.ENQUEUED)).isOne();
		assertThat(this.storage.countJobs(StateName.SCHEDULED)).isOne();
		Examples.application(Billing.class, Producer.class).run((context) -> {
			assertThat(context.getBean(Producer.class).produce(midnight)).hasOnlyElementsOfType(Accepted.class);
			JobStore store = context.getBean(JobStore.class);
			assertThat(store.counts("default").in(JobState.READY)).isOne();
			assertThat(store.counts("default").in(JobState.SCHEDULED)).isOne();
		});
	}

	@Test
	void scheduleReplacesTheRecurringJob() {
		Examples.application(Billing.class)
			.withInitializer(Examples.configurationOf("docs/migration/jobrunr.md"))
			.run((context) -> await()
				.untilAsserted(() -> assertThat(context.getBean(Schedules.class).list()).singleElement()
					.satisfies((schedule) -> assertThat(schedule.name()).isEqualTo("close-month"))));
	}

	@Test
	void runsOfBothExcludeOneAnotherAndNoneIsLost() {
		Examples.application(BilledByBoth.class).withPropertyValues("locket.worker.queues=default").run((context) -> {
			BilledByBoth billing = context.getBean(BilledByBoth.class);
			LeaseRequest key = LeaseRequest
				.of(context.getBean(UniqueJobs.class).keyOf("billedByBoth.bill", 42, "2026-05"));
			JobScheduler scheduler = new JobScheduler(this.storage);
			BackgroundJobServer server = server(context);
			server.start();
			try (Lease held = context.getBean(LeaseService.class).tryAcquire(key).orElseThrow()) {
				scheduler.<BilledByBoth>enqueue((both) -> both.bill(42, "2026-05"));
				scheduler.<BilledByBoth>enqueue((both) -> both.bill(43, "2026-05"));
				await().until(() -> this.storage.countJobs(StateName.SUCCEEDED) == 2);
				assertThat(billing.bills()).containsExactly("43 2026-05 by JobRunr");
			}
			finally {
				server.stop();
			}
			await().until(() -> billing.bills().contains("42 2026-05 by Locket"));
			context.getBean(Jobs.class).enqueue(BilledByBoth.class, (both) -> both.bill(44, "2026-05"));
			await().until(() -> billing.bills().contains("44 2026-05 by Locket"));
		});
	}

	/**
	 * Returns a server that takes its beans from the context, as that of JobRunr's
	 * starter does.
	 */
	private BackgroundJobServer server(ApplicationContext context) {
		return new BackgroundJobServer(this.storage, this.mapper, new JobActivator() {

			@Override
			public <T> T activateJob(Class<T> type) {
				return context.getBean(type);
			}

		}, BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
			.andWorkerCount(2)
			.andPollInterval(Duration.ofMillis(200)));
	}

}
