package io.locket.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.event.CallEnded;
import io.locket.event.CallEvent;
import io.locket.event.CallRefused;
import io.locket.event.JobEventListener;
import io.locket.event.RecordingJobObserver;
import io.locket.lease.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the notification of observers and listeners about direct calls.
 */
@SuppressWarnings("try")
class ObservedCallTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final RecordingJobObserver observer = new RecordingJobObserver();

	private final List<CallEvent> events = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean(RecordingJobObserver.class, () -> this.observer)
		.withBean(JobEventListener.class, () -> (event) -> {
			if (event instanceof CallEvent call) {
				this.events.add(call);
			}
		})
		.withBean("calls", Calls.class);

	@Test
	void bodyThatReturnsIsObservedWithoutTheCallsInsideIt() {
		run((calls) -> {
			calls.sync(1, () -> calls.sync(1, () -> null));
			assertThat(this.observer.told).containsExactly("begin calls.sync", "leave", "end SUCCEEDED");
			assertThat(this.observer.runs).singleElement().satisfies((run) -> {
				assertThat(run.context().key().text()).isEqualTo("(1)");
				assertThat(run.masked()).isFalse();
				assertThat(run.waited()).isNull();
				assertThat(run.trace()).isNull();
			});
			assertThat(ended().key().text()).isEqualTo("(1)");
			assertThat(ended().error()).isNull();
			assertThat(ended().ran()).isPositive();
		});
	}

	@Test
	void bodyThatFailsIsObserved() {
		run((calls) -> {
			assertThatIllegalStateException().isThrownBy(() -> calls.sync(1, () -> {
				throw new IllegalStateException("failed");
			}));
			assertThat(this.observer.told).containsExactly("begin calls.sync", "leave",
					"end FAILED IllegalStateException");
			assertThat(ended().error()).isEqualTo(IllegalStateException.class.getName());
		});
	}

	@Test
	void bodyThatIsInterruptedOnTheLossOfItsLeaseHasNotFailed() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> calls(context).sync(1, () -> {
				GuardedContext.leases(context).lose(LeaseLossCause.GONE);
				try {
					new CountDownLatch(1).await();
					return null;
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException("wrapped", ex);
				}
			}));
			assertThat(this.observer.told).endsWith("end INTERRUPTED IllegalStateException");
		});
	}

	@Test
	void bodyThatFailsInsideItsLeaseHasFailedAlsoIfBodiesAreInterrupted() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> calls(context).sync(1, () -> {
				throw new IllegalStateException("failed");
			}));
			assertThat(this.observer.told).endsWith("end FAILED IllegalStateException");
		});
	}

	@Test
	void bodyThatFailsAfterTheLossOfItsLeaseHasFailedWithoutAnInterrupt() {
		this.contextRunner.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> calls(context).sync(1, () -> {
				GuardedContext.leases(context).lose(LeaseLossCause.GONE);
				throw new IllegalStateException("failed");
			}));
			assertThat(this.observer.told).endsWith("end FAILED IllegalStateException");
		});
	}

	@Test
	void refusedCallIsNoRunAndHasItsStrategy() {
		this.contextRunner.run((context) -> {
			Calls calls = context.getBean(Calls.class);
			try (Lease lease = GuardedContext.take(context, "calls.sync", 1, null)) {
				assertThat(calls.sync(2, () -> null)).isNull();
				assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> calls.sync(1, () -> null));
				assertThat(lease.isHeld()).isTrue();
			}
			assertThat(this.observer.runs).hasSize(1);
			assertThat(this.events).hasSize(2);
			assertThat(this.events.get(1)).isInstanceOfSatisfying(CallRefused.class, (refused) -> {
				assertThat(refused.key().text()).isEqualTo("(1)");
				assertThat(refused.strategy()).isEqualTo(ConflictStrategy.RAISE);
				assertThat(refused.holder()).isNotNull();
			});
		});
	}

	@Test
	void unguardedCallIsNoRun() {
		run((calls) -> {
			calls.unguarded();
			assertThat(this.observer.runs).isEmpty();
			assertThat(this.events).isEmpty();
		});
	}

	@Test
	void argumentsOfMaskedJobsAreToBeKeptOut() {
		run((calls) -> {
			calls.secret(1);
			assertThat(this.observer.runs).singleElement().satisfies((run) -> assertThat(run.masked()).isTrue());
		});
	}

	@Test
	void futureEndsWhenItsStageDoes() {
		run((calls) -> {
			CompletableFuture<String> original = new CompletableFuture<>();
			CompletableFuture<String> result = calls.future(() -> original);
			assertThat(this.observer.told).containsExactly("begin calls.future", "leave");
			assertThat(this.events).isEmpty();
			original.completeExceptionally(new IllegalStateException("late"));
			assertThat(result).failsWithin(BOUND);
			assertThat(this.observer.told).endsWith("end FAILED IllegalStateException");
			assertThat(ended().error()).isEqualTo(IllegalStateException.class.getName());
		});
	}

	@Test
	void futureThatHasEndedIsObservedAtOnce() {
		run((calls) -> {
			calls.future(() -> CompletableFuture.completedFuture("done"));
			calls.future(() -> CompletableFuture.failedFuture(new IllegalStateException("failed")));
			assertThatIllegalStateException().isThrownBy(() -> calls.future(() -> {
				throw new IllegalStateException("thrown");
			}));
			assertThat(this.observer.told).containsExactly("begin calls.future", "leave", "end SUCCEEDED",
					"begin calls.future", "leave", "end FAILED IllegalStateException", "begin calls.future", "leave",
					"end FAILED IllegalStateException");
			assertThat(this.events).hasSize(3);
		});
	}

	@Test
	void futureThatIsCancelledIsInterrupted() {
		run((calls) -> {
			CompletableFuture<String> result = calls.future(CompletableFuture::new);
			result.cancel(true);
			assertThat(this.observer.told).endsWith("end INTERRUPTED CancellationException");
			assertThat(ended().error()).isEqualTo(CancellationException.class.getName());
		});
	}

	@Test
	void monoEndsWithEachOfItsSubscriptions() {
		run((calls) -> {
			Mono<String> job = calls.mono(() -> Mono.just("done"));
			assertThat(this.observer.told).isEmpty();
			assertThat(job.block(BOUND)).isEqualTo("done");
			assertThat(this.observer.told).containsExactly("begin calls.mono", "leave", "end SUCCEEDED");
			assertThat(job.block(BOUND)).isEqualTo("done");
			assertThat(this.observer.told).containsExactly("begin calls.mono", "leave", "end SUCCEEDED",
					"begin calls.mono", "leave", "end SUCCEEDED");
			assertThatIllegalStateException()
				.isThrownBy(() -> calls.mono(() -> Mono.error(new IllegalStateException("failed"))).block(BOUND));
			assertThatIllegalStateException().isThrownBy(() -> calls.mono(() -> {
				throw new IllegalStateException("thrown");
			}).block(BOUND));
			assertThat(this.observer.told).containsSubsequence("begin calls.mono", "leave",
					"end FAILED IllegalStateException", "begin calls.mono", "leave",
					"end FAILED IllegalStateException");
			assertThat(this.events).hasSize(4);
		});
	}

	@Test
	void fluxEndsWhenItsLastElementWasTaken() {
		run((calls) -> {
			assertThat(calls.flux(() -> calls.flux(() -> Flux.just("one", "two"))).collectList().block(BOUND))
				.hasSize(2);
			assertThat(this.observer.told).containsExactly("begin calls.flux", "leave", "end SUCCEEDED");
			Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
			List<String> seen = new CopyOnWriteArrayList<>();
			Disposable subscription = calls.flux(sink::asFlux).subscribe(seen::add);
			sink.tryEmitNext("one");
			await().until(() -> !seen.isEmpty());
			subscription.dispose();
			assertThat(this.observer.told).endsWith("begin calls.flux", "leave",
					"end INTERRUPTED CancellationException");
			assertThat(this.events).hasSize(2);
		});
	}

	private void run(Calling calling) {
		this.contextRunner.run((context) -> calling.call(calls(context)));
	}

	private static Calls calls(ApplicationContext context) {
		return context.getBean(Calls.class);
	}

	private CallEnded ended() {
		assertThat(this.events).hasSize(1);
		return (CallEnded) this.events.get(0);
	}

	@FunctionalInterface
	private interface Calling {

		void call(Calls calls) throws Exception;

	}

	static class Calls {

		@UniqueJob(key = "#number", onConflict = ConflictStrategy.RAISE)
		public @Nullable Object sync(int number, Callable<? extends @Nullable Object> body) throws Exception {
			return body.call();
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void unguarded() {
		}

		@UniqueJob(maskArguments = "true")
		public void secret(int number) {
		}

		@UniqueJob(key = "'one'")
		public CompletableFuture<String> future(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@UniqueJob(key = "'one'")
		public Mono<String> mono(Supplier<Mono<String>> body) {
			return body.get();
		}

		@UniqueJob(key = "'one'")
		public Flux<String> flux(Supplier<Flux<String>> body) {
			return body.get();
		}

	}

}
