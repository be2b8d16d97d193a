package io.locket.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.locket.ConflictStrategy;
import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.call.ThreadLeases;
import io.locket.lease.Lease;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link QueuedInvocation}.
 */
@SuppressWarnings("try")
class QueuedInvocationTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner().withBean("jobs", Jobs.class);

	private final JobContext run = mock();

	@Test
	void callOfAWorkerRequestsNothingAndSeesItsRun() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.plain", 1);
			call(context, "jobs.plain", lease, () -> jobs.plain(1));
			assertThat(jobs.contexts()).containsExactly(this.run);
			assertThat(JobContext.current()).isEmpty();
			assertThat(ThreadLeases.isEmpty()).isTrue();
			assertThat(lease.isHeld()).isTrue();
		});
	}

	@Test
	void strategyThatLeavesDirectCallsUnguardedSeesItsRunToo() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			call(context, "jobs.unguarded", null, jobs::unguarded);
			assertThat(jobs.contexts()).containsExactly(this.run);
		});
	}

	@Test
	void claimOfAPeriodIsNotRequested() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			call(context, "jobs.daily", null, jobs::daily);
			call(context, "jobs.daily", null, jobs::daily);
			assertThat(jobs.contexts()).containsExactly(this.run, this.run);
		});
	}

	@Test
	void onlyTheFirstCallIsTheWorkers() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			call(context, "jobs.plain", null, () -> {
				jobs.plain(1);
				try (Lease other = GuardedContext.take(context, "jobs.plain", 1)) {
					jobs.plain(1);
				}
				jobs.plain(1);
			});
			assertThat(jobs.contexts()).hasSize(2);
			assertThat(jobs.contexts().get(1)).isNotEqualTo(this.run);
		});
	}

	@Test
	void nestedCallOfTheHeldKeyRunsInsideTheLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.plain", 1);
			call(context, "jobs.outer", lease, jobs::outer);
			assertThat(jobs.contexts()).hasSize(2).containsOnly(this.run);
			assertThat(lease.isHeld()).isTrue();
		});
	}

	@Test
	void nestedCallOfAnotherKeyTakesItsOwnLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.plain", 2);
			call(context, "jobs.outer", lease, jobs::outer);
			assertThat(jobs.contexts().get(0)).isEqualTo(this.run);
			assertThat(jobs.contexts().get(1)).isNotEqualTo(this.run);
		});
	}

	@Test
	void runEndsWithWhatNestedCallsHaveLeftToOthers() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.later", 1);
			CountDownLatch called = new CountDownLatch(1);
			Thread worker = new Thread(() -> {
				try {
					call(context, "jobs.outer", lease, () -> {
						jobs.later(1);
						called.countDown();
					});
				}
				catch (Throwable ex) {
					throw new IllegalStateException(ex);
				}
			});
			worker.start();
			assertThat(called.await(5, TimeUnit.SECONDS)).isTrue();
			worker.join(200);
			assertThat(worker.isAlive()).isTrue();
			jobs.result().complete("done");
			worker.join(5000);
			assertThat(worker.isAlive()).isFalse();
		});
	}

	@Test
	void interruptWhileARunWaitsForOthersIsKeptForTheWorker() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.later", 1);
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread worker = new Thread(() -> {
				try {
					call(context, "jobs.outer", lease, () -> jobs.later(1));
					interrupted.complete(Thread.interrupted());
				}
				catch (Throwable ex) {
					interrupted.completeExceptionally(ex);
				}
			});
			worker.start();
			Awaitility.await().until(() -> worker.getState() == Thread.State.WAITING);
			worker.interrupt();
			Awaitility.await().until(() -> !worker.isInterrupted() && worker.getState() == Thread.State.WAITING);
			jobs.result().complete("done");
			assertThat(interrupted).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs.failing", "jobs.failingUnguarded", "jobs.failingDaily" })
	void repetitionByAnOuterAdvisorIsTheWorkersCall(String job) {
		this.contextRunner.withUserConfiguration(Resilient.class).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			call(context, job, null, switch (job) {
				case "jobs.failing" -> jobs::failing;
				case "jobs.failingUnguarded" -> jobs::failingUnguarded;
				default -> jobs::failingDaily;
			});
			assertThat(jobs.contexts()).containsExactly(this.run, this.run);
			assertThat(GuardedContext.leases(context).requests()).isEmpty();
		});
	}

	@Test
	void callWithOtherArgumentsAfterAFailureIsNotTheWorkers() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			call(context, "jobs.odd", null, () -> {
				assertThatIllegalStateException().isThrownBy(() -> jobs.odd(1));
				try (Lease other = GuardedContext.take(context, "jobs.odd", 2)) {
					jobs.odd(2);
				}
				jobs.odd(2);
			});
			assertThat(jobs.contexts()).hasSize(2);
			assertThat(jobs.contexts().get(1)).isNotEqualTo(this.run);
		});
	}

	@Test
	void publisherHasItsRunInTheReactorContext() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Lease lease = GuardedContext.take(context, "jobs.mono", 1);
			call(context, "jobs.mono", lease, () -> assertThat(jobs.mono(1).block()).isEqualTo("inner"));
			assertThat(jobs.contexts()).containsExactly(this.run, this.run);
		});
	}

	@Test
	void failureOfTheBodyLeavesNothingBehind() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatIllegalStateException().isThrownBy(() -> call(context, "jobs.plain", null, () -> {
				throw new IllegalStateException("before the call");
			}));
			try (Lease other = GuardedContext.take(context, "jobs.plain", 1)) {
				jobs.plain(1);
			}
			assertThat(jobs.contexts()).isEmpty();
		});
	}

	private void call(ApplicationContext context, String job, Lease lease, QueuedInvocation.Call call)
			throws Throwable {
		given(this.run.key()).willReturn(GuardedContext.leases(context).keyOf(job));
		new QueuedInvocation(job, this.run, lease).run(call);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Resilient {

	}

	static class Jobs {

		private final CompletableFuture<String> result = new CompletableFuture<>();

		private final List<JobContext> contexts = new ArrayList<>();

		@Autowired
		@Lazy
		private Jobs self;

		CompletableFuture<String> result() {
			return this.result;
		}

		List<JobContext> contexts() {
			return this.contexts;
		}

		@UniqueJob
		public void plain(int number) {
			this.contexts.add(JobContext.required());
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		public void unguarded() {
			this.contexts.add(JobContext.required());
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public void daily() {
			this.contexts.add(JobContext.required());
		}

		@UniqueJob
		public void odd(int number) {
			this.contexts.add(JobContext.required());
			if (number % 2 == 1) {
				throw new IllegalStateException("odd");
			}
		}

		@UniqueJob
		@Retryable(maxRetries = 1, delay = 0)
		public void failing() {
			failOnce();
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		@Retryable(maxRetries = 1, delay = 0)
		public void failingUnguarded() {
			failOnce();
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		@Retryable(maxRetries = 1, delay = 0)
		public void failingDaily() {
			failOnce();
		}

		private void failOnce() {
			this.contexts.add(JobContext.required());
			if (this.contexts.size() == 1) {
				throw new IllegalStateException("first");
			}
		}

		@UniqueJob
		public void outer() {
			this.contexts.add(JobContext.required());
			this.self.plain(1);
		}

		@UniqueJob
		public CompletableFuture<String> later(int number) {
			return this.result;
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public Mono<String> mono(int number) {
			this.contexts.add(JobContext.required());
			return Mono.deferContextual((context) -> {
				this.contexts.add(context.get(JobContext.class));
				return this.self.inner(number);
			});
		}

		@UniqueJob(name = "inner")
		public Mono<String> inner(int number) {
			return Mono.just("inner");
		}

	}

}
