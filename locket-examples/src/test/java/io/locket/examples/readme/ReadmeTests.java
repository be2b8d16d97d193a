package io.locket.examples.readme;

import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

import io.locket.DuplicateJobException;
import io.locket.JobState;
import io.locket.event.JobEnded;
import io.locket.event.LeaseAcquired;
import io.locket.event.LeaseConflicted;
import io.locket.event.LeaseReleased;
import io.locket.examples.Examples;
import io.locket.examples.RecordedEvents;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in the README.
 */
class ReadmeTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	@Test
	void billingIsGuardedByCustomerAndPeriod() {
		Examples.application(Billing.class, RecordedEvents.class)
			.withPropertyValues("locket.leader.enabled=false")
			.run((context) -> {
				Billing billing = context.getBean(Billing.class);
				RecordedEvents events = context.getBean(RecordedEvents.class);
				LeaseService leases = context.getBean(LeaseService.class);
				UniqueJobs jobs = context.getBean(UniqueJobs.class);
				try (Lease may = leases.tryAcquire(LeaseRequest.of(jobs.keyOf("billing.bill", 42L, MAY, Instant.now())))
					.orElseThrow()) {
					billing.bill(42, MAY, Instant.now());
					assertThat(events.of(LeaseConflicted.class)).extracting(LeaseConflicted::key)
						.containsExactly(may.key());
					billing.bill(42, MAY.plusMonths(1), Instant.now());
					assertThat(events.of(LeaseAcquired.class)).hasSize(2);
				}
				billing.bill(42, MAY, Instant.now());
				assertThat(events.of(LeaseReleased.class)).hasSize(3);
			});
	}

	@Test
	void refusalsFollowTheAnnotation() {
		Examples.application(Refusals.class).run((context) -> {
			Refusals refusals = context.getBean(Refusals.class);
			LeaseService leases = context.getBean(LeaseService.class);
			UniqueJobs jobs = context.getBean(UniqueJobs.class);
			try (Lease held = leases.tryAcquire(LeaseRequest.of(jobs.keyOf("refusals.raise"))).orElseThrow()) {
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(refusals::raise)
					.satisfies((ex) -> assertThat(ex.getHolder()).isNotNull());
			}
			assertThat(refusals.raise()).isOne();
			assertThat(refusals.await()).isEqualTo(2);
			refusals.fire();
			refusals.fire();
			refusals.hourly();
			refusals.hourly();
			assertThat(refusals.runs()).isEqualTo(4);
		});
	}

	@Test
	void reportIsWrittenWithGrowingTokens() {
		Examples.application(Reports.class).run((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.nightly();
			reports.nightly();
			List<Long> tokens = reports.written();
			assertThat(tokens).hasSize(2).isSorted();
			assertThat(tokens.get(0)).isPositive().isNotEqualTo(tokens.get(1));
		});
	}

	@Test
	void scheduleIsKnownWithItsNextFiring() {
		Examples.application(Billing.class)
			.withInitializer(Examples.configurationOf("README.md"))
			.run((context) -> await().untilAsserted(
					() -> assertThat(context.getBean(Schedules.class).list()).singleElement().satisfies((schedule) -> {
						assertThat(schedule.name()).isEqualTo("close-month");
						assertThat(schedule.nextFiring()).isNotNull();
					})));
	}

	@Test
	void workerRunsWhatIsEnqueued() {
		Examples.application(Billing.class, Producer.class, RecordedEvents.class)
			.withInitializer(Examples.configurationOf("README.md"))
			.run((context) -> {
				RecordedEvents events = context.getBean(RecordedEvents.class);
				List<EnqueueResult> results = context.getBean(Producer.class).request(MAY, Instant.now());
				assertThat(results).hasSize(2).hasOnlyElementsOfType(EnqueueResult.Accepted.class);
				await().untilAsserted(() -> assertThat(events.of(JobEnded.class)).extracting(JobEnded::state)
					.containsExactly(JobState.SUCCEEDED, JobState.SUCCEEDED));
			});
	}

}
