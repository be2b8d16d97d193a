package io.locket.test;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobContext;
import io.locket.JobState;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.JobStore;
import io.locket.queue.spi.NewJob;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import io.locket.test.service.Billing;
import io.locket.test.service.Parcels;
import io.locket.test.service.Reminders;
import io.locket.test.service.TestService;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

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

	@Autowired
	private JobStore store;

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
	void runInsideABodyLeavesNothingThatDisturbsLaterEnqueues() {
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			for (int i = 0; i < 2; i++) {
				this.jobs.enqueue("billing.export", "2026-05");
				this.jobs.enqueue("billing.digest", "2026-05");
			}
			this.billing.done().add("first has ended");
		});
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.billing.done()).containsExactly("send a", "export 2026-05", "digest 2026-05", "export 2026-05",
				"digest 2026-05", "first has ended");
		assertThat(this.locket.enqueued()).allMatch(EnqueuedJob::isAccepted);
	}

	@Test
	void jobThatOnlyAnInterfaceDeclaresLeavesNothing() {
		for (int i = 0; i < 2; i++) {
			assertThat(this.jobs.enqueue(Parcels.class, (parcels) -> parcels.send(42, Map.of(), Set.of())))
				.isInstanceOf(EnqueueResult.Accepted.class);
			assertThat(this.locket.jobs()).isEmpty();
		}
		assertThat(this.locket).hasEnqueued("parcels.send").asAccepted().times(2);
	}

	@Test
	void jobThatIsDiscardedAtItsStartLeavesNothing() {
		try (Lease other = this.locket.occupy("billing.audit", "2026-05")) {
			this.jobs.enqueue("billing.audit", "2026-05");
			assertThat(other.isHeld()).isTrue();
			assertThat(this.locket.jobs()).isEmpty();
		}
		this.jobs.enqueue("billing.audit", "2026-05");
		assertThat(this.billing.done()).containsExactly("audit 2026-05");
	}

	@Test
	void jobWhoseKeyAnotherProcessHoldsRunsWithTheNextDrain() {
		Lease other = this.locket.occupy("billing.export", "2026-05");
		this.jobs.enqueue("billing.export", "2026-05");
		assertThat(this.locket).has(JobState.PARKED, "billing.export");
		other.close();
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.billing.done()).containsExactly("send a");
		assertThat(this.locket.drain()).hasRun("billing.export");
		this.locket.reset();
	}

	@Test
	void jobThatIsRescheduledBecauseItsKeyIsHeldRunsWhenItIsDue() {
		try (Lease other = this.locket.occupy("billing.archive", "2026-05")) {
			this.jobs.enqueue("billing.archive", "2026-05");
			assertThat(other.isHeld()).isTrue();
			assertThat(this.locket).has(JobState.RETRY, "billing.archive");
		}
		this.locket.advanceAndDrain(Duration.ofMinutes(1));
		assertThat(this.billing.done()).containsExactly("archive 2026-05");
		this.locket.reset();
	}

	@Test
	void jobsOfSeveralThreadsRunOnTheThreadsThatEnqueueThem() throws Exception {
		Map<Thread, AtomicInteger> runs = new ConcurrentHashMap<>();
		this.billing.body(
				() -> runs.computeIfAbsent(Thread.currentThread(), (thread) -> new AtomicInteger()).incrementAndGet());
		ExecutorService executor = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> threads = new ArrayList<>();
			CyclicBarrier start = new CyclicBarrier(4);
			for (int i = 0; i < 4; i++) {
				threads.add(executor.submit(() -> {
					start.await();
					for (int job = 1; job <= 200; job++) {
						this.jobs.enqueue("billing.send", "a");
						assertThat(runs.get(Thread.currentThread())).hasValue(job);
					}
					return null;
				}));
			}
			for (Future<?> thread : threads) {
				thread.get();
			}
		}
		finally {
			executor.shutdown();
		}
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
	void jobWhoseKeyABodyHasRunsAlsoIfThatBodyFails() {
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.jobs.enqueue("billing.all", 0);
			throw new IllegalStateException("no paper");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueue("billing.all", 0)).withMessage("no paper");
		assertThat(this.billing.done()).containsExactly("all 0", "all 0", "all 0 is done");
	}

	@Test
	void jobsOfOneKeyWithoutAnEndAreAnError() {
		this.billing.body(() -> this.jobs.enqueue("billing.all", 0));
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueue("billing.all", 0))
			.withMessageContaining("No end after 1000 runs")
			.withMessageContaining("billing.all[0]")
			.withMessageContaining("whether a job enqueues itself");
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
	void failuresOfBodiesAreNotLostIfALaterJobIsRefused(@Autowired JobQueue queue) {
		this.billing.body(() -> {
			throw new IllegalStateException("No paper for " + this.billing.done().size());
		});
		NewJob refused = NewJob.builder("c", "billing.send", "mails")
			.arguments("[\"c\"]")
			.start(NewJob.Start.in(Duration.ofSeconds(Long.MAX_VALUE)))
			.build();
		List<NewJob> jobs = List.of(NewJob.builder("a", "billing.send", "mails").arguments("[\"a\"]").build(),
				NewJob.builder("b", "billing.send", "mails").arguments("[\"b\"]").build(), refused);
		assertThatIllegalStateException().isThrownBy(() -> queue.enqueue(jobs))
			.withMessage("No paper for 1")
			.satisfies((ex) -> {
				assertThat(ex.getSuppressed()).hasSize(2);
				assertThat(ex.getSuppressed()[0]).hasMessage("No paper for 2");
				assertThat(ex.getSuppressed()[1]).isInstanceOf(ArithmeticException.class);
			});
		assertThat(this.locket).hasEnqueuedTimes(2);
		assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> queue.enqueue(List.of(refused)));
	}

	@Test
	void eachBodyThatRunsAfterACommitHasTransactionsOfItsOwn(@Autowired PlatformTransactionManager manager) {
		this.billing.body(() -> {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
			this.reminders.note("body " + this.billing.done().size() + " of a commit");
		});
		List<Boolean> active = new ArrayList<>();
		new TransactionTemplate(manager).executeWithoutResult((status) -> {
			this.jobs.enqueue("billing.send", "a");
			this.jobs.enqueue("billing.send", "b");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					active.add(TransactionSynchronizationManager.isActualTransactionActive());
				}

			});
		});
		assertThat(this.billing.done()).containsExactly("send a", "send b");
		assertThat(this.reminders.notes()).contains("body 1 of a commit", "body 2 of a commit");
		assertThat(active).containsExactly(true);
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
	void scheduledJobRunsWhenItIsDueAndTheTestDrains() {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.send", "a");
		assertThat(this.billing.done()).isEmpty();
		this.locket.advanceAndDrain(Duration.ofMinutes(5));
		assertThat(this.billing.done()).containsExactly("send a");
		this.locket.reset();
	}

	@Test
	void jobThatHasBecomeDueDoesNotRunInALaterEnqueue() {
		this.jobs.enqueue(EnqueueOptions.in(Duration.ofMinutes(5)), "billing.send", "a");
		this.locket.advance(Duration.ofMinutes(5));
		this.jobs.enqueue("billing.send", "b");
		assertThat(this.billing.done()).containsExactly("send b");
		assertThat(this.locket.drain()).hasRun("billing.send");
		assertThat(this.billing.done()).containsExactly("send b", "send a");
		this.locket.reset();
	}

	@Test
	void jobsOfSchedulesRunAlsoIfOneFails() {
		this.schedules.put(ScheduleRequest.every("a", Duration.ofMinutes(10), JobRequest.of("billing.send", "a")));
		this.schedules.put(ScheduleRequest.every("b", Duration.ofMinutes(10), JobRequest.of("billing.send", "b")));
		this.billing.body(() -> {
			if (this.billing.done().size() != 2) {
				throw new IllegalStateException("No paper for " + this.billing.done().size());
			}
		});
		Instant start = this.locket.clock().instant();
		assertThatIllegalStateException().isThrownBy(() -> this.locket.advanceAndFire(Duration.ofMinutes(25)))
			.withMessage("No paper for 1")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).extracting(Throwable::getMessage)
				.containsExactly("No paper for 3", "No paper for 4"));
		assertThat(this.locket.clock().instant()).isEqualTo(start.plus(Duration.ofMinutes(25)));
	}

	@Test
	void leaderThatLosesItsLeaseInABodyIsAnErrorAfterTheFailuresOfBodies() {
		this.schedules.put(ScheduleRequest.every("a", Duration.ofMinutes(10), JobRequest.of("billing.send", "a")));
		this.billing.body(() -> {
			this.leases.forceRelease(this.leases.keyOf(Leadership.NAME).digest());
			throw new IllegalStateException("no paper");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.locket.advanceAndFire(Duration.ofMinutes(25)))
			.withMessage("no paper")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.asInstanceOf(InstanceOfAssertFactories.THROWABLE)
				.hasMessageStartingWith("The leader lost its lease"));
		this.billing.body(this.locket::reset);
		assertThatIllegalStateException().isThrownBy(() -> this.locket.advanceAndFire(Duration.ofMinutes(25)))
			.withMessageStartingWith("The leader lost its lease");
		assertThat(this.billing.done()).containsExactly("send a", "send a");
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

	@Test
	void jobThatEnqueuesItselfForEverIsAnErrorBeforeTheStackOverflows() {
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueue("billing.loop"))
			.withMessageStartingWith("No end after 50 runs inside one another")
			.withMessageContaining("billing.loop[] enqueues itself");
		this.jobs.enqueue("billing.send", "a");
		assertThat(this.billing.done()).containsExactly("send a");
	}

	@Test
	void jobWhoseKeyABodyHasRunsAfterItInSpiteOfAMinimumHold() {
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.jobs.enqueue("billing.export", "2026-05");
			this.billing.done().add("first has ended");
		});
		this.jobs.enqueue("billing.export", "2026-05");
		assertThat(this.billing.done()).containsExactly("export 2026-05", "first has ended", "export 2026-05");
	}

	@Test
	void jobWhoseQueueABodyResumesRunsAfterThatBody() {
		this.billing.body(() -> {
			this.billing.body(() -> {
			});
			this.store.pause("mails");
			this.jobs.enqueue("billing.send", "a");
			this.store.resume("mails");
			this.billing.done().add("export has ended");
		});
		this.jobs.enqueue("billing.export", "2026-05");
		assertThat(this.billing.done()).containsExactly("export 2026-05", "export has ended", "send a");
	}

	@Test
	void oneFailureOfSeveralJobsIsThrown() {
		IllegalStateException failure = new IllegalStateException("no paper");
		this.billing.body(() -> {
			throw failure;
		});
		List<JobRequest> requests = List.of(JobRequest.of("billing.send", "a"), JobRequest.of("billing.send", "b"));
		assertThatIllegalStateException().isThrownBy(() -> this.jobs.enqueueAll(requests)).isSameAs(failure);
		assertThat(this.billing.done()).containsExactly("send a", "send b");
	}

	@Test
	void bodyOfAnImmediateJobTakesPartInTheOpenTransaction(@Autowired PlatformTransactionManager manager) {
		this.billing.body(() -> assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue());
		new TransactionTemplate(manager)
			.executeWithoutResult((status) -> this.jobs.enqueue(EnqueueOptions.now().immediate(), "billing.send", "a"));
		assertThat(this.billing.done()).containsExactly("send a");
	}

}
