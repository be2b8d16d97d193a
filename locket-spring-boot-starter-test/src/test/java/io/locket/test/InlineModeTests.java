package io.locket.test;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.List;

import io.locket.JobContext;
import io.locket.JobState;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import io.locket.test.service.Billing;
import io.locket.test.service.Reminders;
import io.locket.test.service.TestService;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LocketTestMode#INLINE}.
 */
@SpringBootTest(classes = TestService.class, properties = "spring.data.redis.port=1")
@AutoConfigureLocketTest(mode = LocketTestMode.INLINE)
class InlineModeTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LocketTester locket;

	@Autowired
	private LeaseService leases;

	@Autowired
	private Billing billing;

	@Autowired
	private Reminders reminders;

	@Autowired
	private Schedules schedules;

	@BeforeEach
	void reset() {
		this.billing.reset();
	}

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.leases.held(10)).isEmpty();
		assertThat(this.locket.jobs()).allMatch((job) -> job.state() == JobState.SCHEDULED);
	}

	@Test
	void jobRunsAtOnceOnTheThreadThatEnqueuesIt() {
		Thread caller = Thread.currentThread();
		this.billing.body(() -> {
			assertThat(Thread.currentThread()).isSameAs(caller);
			assertThat(JobContext.required("billing.bill").queuedRun()).isPresent();
		});
		assertThat(this.jobs.enqueue("billing.bill", 42, "2026-05", "x")).isInstanceOf(EnqueueResult.Accepted.class);
		assertThat(this.billing.done()).containsExactly("bill 42 2026-05 x");
		assertThat(this.locket).hasEnqueued("billing.bill").withArguments(42, "2026-05", "x");
	}

	@Test
	void runLeavesNothingThatDisturbsLaterEnqueues() {
		for (int i = 0; i < 2; i++) {
			this.jobs.enqueue(EnqueueOptions.now().id("same"), "billing.bill", 42, "2026-05", "x");
			this.jobs.enqueue("billing.export", "2026-05");
			this.jobs.enqueue("billing.digest", "2026-05");
		}
		assertThat(this.billing.done()).hasSize(6);
		assertThat(this.locket).hasEnqueuedTimes(6);
		assertThat(this.locket.enqueued()).allMatch(EnqueuedJob::isAccepted);
	}

	@Test
	void failureOfTheBodyIsThrownToTheCaller() {
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueue("billing.bill", 42, "2026-05", "x"))
			.withMessage("no paper");
		this.billing.body(() -> {
			throw new IOException("no disk");
		});
		assertThatExceptionOfType(UndeclaredThrowableException.class)
			.isThrownBy(() -> this.jobs.enqueue("billing.bill", 42, "2026-05", "x"))
			.withMessageContaining("billing.bill")
			.withCauseInstanceOf(IOException.class);
		this.billing.body(() -> {
		});
		assertThat(this.jobs.enqueue("billing.bill", 42, "2026-05", "x")).isInstanceOf(EnqueueResult.Accepted.class);
	}

	@Test
	void jobsThatABodyEnqueuesRunInsideIt() {
		this.jobs.enqueue("billing.all", 2);
		assertThat(this.billing.done()).containsExactly("all 2", "bill 1 2026-05 of all", "bill 2 2026-05 of all",
				"all 2 is done");
	}

	@Test
	void jobWhoseKeyABodyHasRunsAfterIt() {
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.jobs.enqueue("billing.export", "2026-05");
			this.billing.done().add("first has ended");
		});
		this.jobs.enqueue("billing.all", 0);
		assertThat(this.billing.done()).containsExactly("all 0", "export 2026-05", "first has ended", "all 0 is done");
		this.billing.done().clear();
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.jobs.enqueue("billing.all", 0);
			this.billing.done().add("first has ended");
		});
		this.jobs.enqueue("billing.all", 0);
		assertThat(this.billing.done()).containsExactly("all 0", "first has ended", "all 0 is done", "all 0",
				"all 0 is done");
	}

	@Test
	void failureOfAnInnerJobIsThrownToTheBodyThatEnqueuedIt() {
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueue("billing.all", 1)).withMessage("no paper");
	}

	@Test
	void jobsThatAreEnqueuedTogetherRunAlsoIfOneFails() {
		this.billing.body(() -> {
			if (this.billing.done().size() != 2) {
				throw new IllegalStateException("No paper for " + this.billing.done().size());
			}
		});
		List<JobRequest> requests = List.of(JobRequest.of("billing.send", "a"), JobRequest.of("billing.send", "b"),
				JobRequest.of("billing.send", "c"));
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueueAll(requests))
			.withMessage("No paper for 1")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
				.hasMessage("No paper for 3"));
		assertThat(this.billing.done()).containsExactly("send a", "send b", "send c");
		assertThat(this.locket).hasEnqueuedTimes(3);
	}

	@Test
	void bodyThatRunsAfterACommitHasTransactionsOfItsOwn() {
		this.billing.body(() -> {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
			this.reminders.note("in the body");
			this.billing.body(() -> {
			});
			this.reminders.remind("b");
		});
		this.reminders.remind("a");
		assertThat(this.billing.done()).containsExactly("send a", "send b");
		assertThat(this.reminders.notes()).contains("in the body");
		assertThat(this.locket).hasEnqueuedTimes(2);
	}

	@Test
	void scheduledJobRunsWhenItIsDueAndTheTestSaysSo() {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.send", "a");
		assertThat(this.billing.done()).isEmpty();
		this.locket.advanceAndDrain(Duration.ofMinutes(5));
		assertThat(this.billing.done()).containsExactly("send a");
		this.locket.reset();
	}

	@Test
	void jobsOfSchedulesRunWhenTheTestLetsTheirTimesCome() {
		this.schedules.put(ScheduleRequest.every("often", Duration.ofMinutes(10), JobRequest.of("billing.send", "a")));
		this.locket.advanceAndFire(Duration.ofMinutes(20));
		assertThat(this.billing.done()).containsExactly("send a", "send a");
		this.billing.body(() -> {
			throw new IllegalStateException("no paper");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.locket.advanceAndFire(Duration.ofMinutes(10)))
			.withMessage("no paper");
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.jobs.enqueue("billing.send", "inside");
			assertThat(this.billing.done()).contains("send inside");
		});
		this.locket.advanceAndFire(Duration.ofMinutes(10));
		this.jobs.enqueue("billing.send", "b");
		assertThat(this.billing.done()).endsWith("send a", "send inside", "send b");
	}

}
