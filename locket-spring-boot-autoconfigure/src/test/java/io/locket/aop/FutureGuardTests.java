package io.locket.aop;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.LeaseUnavailableException;
import io.locket.UniqueJob;
import io.locket.aop.call.SharedLease;
import io.locket.aop.call.ThreadLeases;
import io.locket.lease.Lease;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for direct calls of jobs that return a {@link CompletionStage}.
 */
@SuppressWarnings("try")
class FutureGuardTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner().withBean("jobs", Jobs.class);

	@Test
	void leaseIsHeldUntilFutureEnds() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).run(() -> original);
			assertThat(JobContext.current()).isEmpty();
			assertThat(result).isNotDone();
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			original.complete("done");
			assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
			assertThat(GuardedContext.leases(context).releasingThreads()).singleElement()
				.satisfies((thread) -> assertThat(thread.getName()).startsWith("locket-release-"));
		});
	}

	@Test
	void leaseIsHeldUntilFutureFails() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).run(() -> original);
			original.completeExceptionally(new IllegalStateException("late"));
			assertThat(result).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(IllegalStateException.class)
				.withMessage("late");
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void cancellationCancelsTheOriginalAndReleases() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).run(() -> original);
			assertThat(result.cancel(true)).isTrue();
			assertThat(result).isCancelled();
			assertThat(original).isCancelled();
			awaitFree(context);
		});
	}

	@Test
	void cancellationOfTheOriginalCancels() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).run(() -> original);
			original.cancel(true);
			Awaitility.await().until(result::isCancelled);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void timeoutOfTheCallerLeavesTheLeaseToTheOriginal() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class)
				.run(() -> original)
				.orTimeout(1, TimeUnit.MILLISECONDS);
			assertThat(result).failsWithin(Duration.ofSeconds(10));
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			original.complete("late");
			awaitFree(context);
		});
	}

	@Test
	void finishedFutureIsReleasedAtOnce() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = CompletableFuture.completedFuture("done");
			assertThat(context.getBean(Jobs.class).run(() -> original)).isSameAs(original);
			assertThat(GuardedContext.leases(context).releasingThreads()).containsExactly(Thread.currentThread());
		});
	}

	@Test
	void leaseIsHeldUntilAMinimalStageEnds() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletionStage<String> result = context.getBean(Jobs.class).minimal(original);
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			original.complete("done");
			assertThat(result.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void nullIsReleasedAtOnce() {
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(Jobs.class).run(() -> null)).isNull();
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void methodThatThrowsIsReleasedAtOnce() {
		this.contextRunner.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Jobs.class).run(() -> {
				throw new IllegalStateException("early");
			}));
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void refusedCallCompletesWithNull() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "jobs.stage")) {
				CompletionStage<String> result = context.getBean(Jobs.class).stage();
				assertThat(result.toCompletableFuture()).isCompletedWithValue(null);
			}
		});
	}

	@Test
	void raiseFailsTheStage() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "jobs.raising")) {
				assertThat(context.getBean(Jobs.class).raising()).failsWithin(Duration.ZERO)
					.withThrowableThat()
					.havingCause()
					.isInstanceOf(DuplicateJobException.class);
			}
		});
	}

	@Test
	void unavailableStoreFailsTheStage() {
		this.contextRunner.run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			assertThat(context.getBean(Jobs.class).raising()).failsWithin(Duration.ZERO)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LeaseUnavailableException.class);
		});
	}

	@Test
	void secondCallOnSameThreadIsRefusedWhileFutureRuns() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> first = jobs.run(() -> original);
			assertThat(jobs.run(() -> CompletableFuture.completedFuture("second"))).isCompletedWithValue(null);
			original.complete("first");
			assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("first");
		});
	}

	@Test
	void nestedFutureKeepsTheLeaseThatItRunsIn() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			CompletableFuture<String> inner = new CompletableFuture<>();
			CompletableFuture<String> outer = jobs.run(() -> {
				jobs.run(() -> inner);
				return CompletableFuture.completedFuture("outer");
			});
			assertThat(outer).isCompletedWithValue("outer");
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			inner.complete("inner");
			awaitFree(context);
			assertThat(GuardedContext.leases(context).requests()).hasSize(1);
		});
	}

	@Test
	void continuationsDoNotRunOnTheReleasingThread() {
		this.contextRunner.run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> thread = context.getBean(Jobs.class)
				.run(() -> original)
				.thenApply((result) -> Thread.currentThread().getName());
			original.complete("done");
			assertThat(thread).succeedsWithin(Duration.ofSeconds(10)).asString().doesNotStartWith("locket-release-");
		});
	}

	@Test
	void lossCancelsTheOriginalWhenInterrupting() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).run(() -> original);
			GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
			assertThat(result).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LeaseLostException.class);
			Awaitility.await().until(original::isCancelled);
		});
	}

	@Test
	void nestedCallsLeaveNoListeners() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.run(() -> {
				SharedLease lease = ThreadLeases.retain(JobContext.required().key());
				for (int i = 0; i < 100; i++) {
					CompletableFuture<String> inner = new CompletableFuture<>();
					CompletableFuture<String> result = jobs.run(() -> inner);
					inner.complete("inner");
					result.join();
				}
				assertThat(GuardedContext.leases(context).listeners()).isEqualTo(1);
				// The remaining action is that of the outer body.
				assertThat(lease).extracting("lossActions", InstanceOfAssertFactories.MAP).hasSize(1);
				lease.release();
				return null;
			});
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void releaseAfterTheContextIsClosedRunsOnTheCompletingThread() {
		CompletableFuture<String> original = new CompletableFuture<>();
		TestLeaseService[] leases = new TestLeaseService[1];
		this.contextRunner.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
			.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.run((context) -> {
				leases[0] = GuardedContext.leases(context);
				context.getBean(Jobs.class).run(() -> original);
			});
		original.complete("late");
		assertThat(leases[0].held(1)).isEmpty();
	}

	private static void awaitFree(ApplicationContext context) {
		Awaitility.await().until(() -> GuardedContext.leases(context).held(1).isEmpty());
	}

	static class Jobs {

		@UniqueJob(key = "'one'")
		public CompletableFuture<String> run(Supplier<@Nullable CompletableFuture<String>> body) {
			JobContext.required();
			return body.get();
		}

		@UniqueJob(key = "'one'")
		public CompletionStage<String> minimal(CompletableFuture<String> original) {
			return original.minimalCompletionStage();
		}

		@UniqueJob
		public CompletionStage<String> stage() {
			return CompletableFuture.completedStage("done");
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public CompletableFuture<String> raising() {
			return CompletableFuture.completedFuture("done");
		}

	}

}
