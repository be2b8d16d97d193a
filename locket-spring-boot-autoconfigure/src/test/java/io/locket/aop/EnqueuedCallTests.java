package io.locket.aop;

import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.invocation.InvocationOnMock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for refused direct calls that are enqueued.
 */
@SuppressWarnings("try")
class EnqueuedCallTests {

	private static final YearMonth MAY = YearMonth.of(2026, 5);

	private final JobQueue queue = mock(JobQueue.class);

	private final List<NewJob> enqueued = new CopyOnWriteArrayList<>();

	private volatile EnqueueResult result = new EnqueueResult.Accepted("id");

	private volatile @Nullable Error failure;

	private volatile boolean blockedTooEarly;

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(JobQueue.class, this::fakeQueue)
		.withBean("jobs", Jobs.class);

	private JobQueue fakeQueue() {
		given(this.queue.enqueue(any(NewJob.class))).willAnswer(this::enqueue);
		return this.queue;
	}

	private EnqueueResult enqueue(InvocationOnMock invocation) {
		this.blockedTooEarly |= Schedulers.isInNonBlockingThread();
		this.enqueued.add(invocation.getArgument(0));
		if (this.failure != null) {
			throw this.failure;
		}
		return this.result;
	}

	@Test
	void callWhoseKeyIsFreeIsNotEnqueued() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).park(7, MAY);
			assertThat(context.getBean(Jobs.class).runs()).containsExactly("park");
			assertThat(this.enqueued).isEmpty();
		});
	}

	@Test
	void parkedCallBecomesAJobAndReturns() {
		refused("jobs.park", (context) -> {
			context.getBean(Jobs.class).park(7, MAY);
			assertThat(context.getBean(Jobs.class).runs()).isEmpty();
			assertThat(this.enqueued).singleElement().satisfies((job) -> {
				assertThat(job.id()).hasSize(12).matches("[A-Za-z0-9_-]+");
				assertThat(job.job()).isEqualTo("jobs.park");
				assertThat(job.queue()).isEqualTo("invoices");
				assertThat(job.arguments()).isEqualTo("[7,\"2026-05\"]");
				assertThat(job.key()).isEqualTo(context.getBean(UniqueJobs.class).keyOf("jobs.park", 7L, MAY));
				assertThat(job.lock()).isEqualTo(LockStrategy.UNTIL_EXECUTED);
				assertThat(job.onConflict()).isEqualTo(ConflictStrategy.PARK);
				assertThat(job.start()).isEqualTo(NewJob.Start.NOW);
				assertThat(job.retries()).isEqualTo(5);
			});
		}, 7L, MAY);
	}

	@Test
	void rescheduledCallIsDueWithJitter() {
		refused("jobs.reschedule", (context) -> {
			for (int i = 0; i < 50; i++) {
				assertThat(context.getBean(Jobs.class).reschedule()).isEmpty();
			}
			assertThat(this.enqueued).hasSize(50).allSatisfy((job) -> {
				assertThat(job.onConflict()).isEqualTo(ConflictStrategy.RESCHEDULE);
				assertThat(job.start().delay()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
			});
			assertThat(this.enqueued.stream().map((job) -> job.start().delay()).distinct()).hasSizeGreaterThan(10);
		});
	}

	@Test
	void duplicateReturnsAsARefusedCallDoes() {
		this.result = new EnqueueResult.Duplicate("other", JobState.READY);
		refused("jobs.park", (context) -> {
			context.getBean(Jobs.class).park(7, MAY);
			assertThat(context.getBean(Jobs.class).runs()).isEmpty();
		}, 7L, MAY);
	}

	@Test
	void duplicateIsRaisedIfTheJobRaisesIt() {
		this.result = new EnqueueResult.Duplicate("other", JobState.READY);
		refused("jobs.raising", (context) -> {
			assertThatExceptionOfType(DuplicateJobException.class)
				.isThrownBy(() -> context.getBean(Jobs.class).raising())
				.withMessage("Job jobs.raising[] already exists, with the id other and in the state READY")
				.satisfies((ex) -> assertThat(ex.getExistingId()).isEqualTo("other"));
			this.result = new EnqueueResult.Replaced("other");
			context.getBean(Jobs.class).raising();
		});
	}

	@Test
	void refusedStageCompletesWithNull() {
		refused("jobs.stage", (context) -> {
			assertThat(context.getBean(Jobs.class).stage()).isCompletedWithValue(null);
			assertThat(this.enqueued).hasSize(1);
		});
	}

	@Test
	void errorWhileEnqueuingIsSignalledByAPublisher() {
		this.failure = new AssertionError("guard");
		refused("jobs.mono",
				(context) -> StepVerifier.create(context.getBean(Jobs.class).mono())
					.expectErrorMessage("guard")
					.verify(Duration.ofSeconds(10)));
	}

	@Test
	void refusedPublishersAreEmptyAndDoNotBlockAnEventLoop() {
		refused("jobs.mono", (context) -> {
			StepVerifier.create(Mono.defer(() -> context.getBean(Jobs.class).mono()).subscribeOn(Schedulers.parallel()))
				.verifyComplete();
			assertThat(this.enqueued).hasSize(1);
			assertThat(this.blockedTooEarly).isFalse();
		});
		refused("jobs.flux", (context) -> {
			StepVerifier.create(Flux.defer(() -> context.getBean(Jobs.class).flux()).subscribeOn(Schedulers.parallel()))
				.verifyComplete();
			assertThat(this.enqueued).hasSize(2);
			assertThat(this.blockedTooEarly).isFalse();
		});
	}

	@Test
	void failureOfTheQueueIsTheCallersWhateverLeasesDoThen() {
		for (String onUnavailable : List.of("fail", "skip", "run")) {
			ApplicationContextRunner runner = this.contextRunner
				.withPropertyValues("locket.lease.on-unavailable=" + onUnavailable);
			refused(runner, "jobs.raising", (context) -> {
				failing();
				assertThatExceptionOfType(QueueUnavailableException.class)
					.isThrownBy(() -> context.getBean(Jobs.class).raising());
				assertThat(context.getBean(Jobs.class).runs()).isEmpty();
			});
			refused(runner, "jobs.stage", (context) -> {
				failing();
				CompletableFuture<String> stage = context.getBean(Jobs.class).stage();
				assertThatExceptionOfType(CompletionException.class).isThrownBy(stage::join)
					.withCauseInstanceOf(QueueUnavailableException.class);
			});
			refused(runner, "jobs.mono", (context) -> {
				failing();
				StepVerifier.create(context.getBean(Jobs.class).mono()).verifyError(QueueUnavailableException.class);
			});
		}
	}

	private void failing() {
		given(this.queue.enqueue(any(NewJob.class)))
			.willThrow(new QueueUnavailableException("The store is gone", null));
	}

	@Test
	void argumentsThatCannotBeQueuedAreTheCallersError() {
		Runnable lambda = () -> {
		};
		refused("jobs.lambda",
				(context) -> assertThatIllegalArgumentException()
					.isThrownBy(() -> context.getBean(Jobs.class).lambda(1, lambda))
					.withMessageContaining("Argument 2 (Runnable"),
				1, lambda);
		assertThat(this.enqueued).isEmpty();
	}

	private void refused(String job, ContextConsumer<AssertableApplicationContext> calls, Object... args) {
		refused(this.contextRunner, job, calls, args);
	}

	private void refused(ApplicationContextRunner runner, String job,
			ContextConsumer<AssertableApplicationContext> calls, Object... args) {
		runner.run((context) -> {
			try (Lease other = GuardedContext.take(context, job, args)) {
				calls.accept(context);
			}
		});
	}

	static class Jobs {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		public List<String> runs() {
			return this.runs;
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTED, onConflict = ConflictStrategy.PARK, queue = "invoices")
		public void park(long customer, YearMonth month) {
			this.runs.add("park");
		}

		@UniqueJob(onConflict = ConflictStrategy.RESCHEDULE, rescheduleAfter = "10s")
		public Optional<String> reschedule() {
			return Optional.of("ran");
		}

		@UniqueJob(lock = LockStrategy.UNTIL_AND_WHILE_EXECUTING, onDuplicate = DuplicateStrategy.RAISE,
				onConflict = ConflictStrategy.PARK)
		public void raising() {
			this.runs.add("raising");
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("ran");
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public Mono<String> mono() {
			return Mono.just("ran");
		}

		@UniqueJob(onConflict = ConflictStrategy.PARK)
		public Flux<String> flux() {
			return Flux.just("ran");
		}

		@UniqueJob(key = "#a0", onConflict = ConflictStrategy.PARK)
		public void lambda(int id, Runnable lambda) {
		}

	}

}
