package io.locket.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.JobKeyException;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for direct calls of jobs that return a {@link Mono} or {@link Flux}.
 */
@SuppressWarnings("try")
class ReactiveGuardTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final ApplicationContextRunner contextRunner = GuardedContext.runner().withBean("jobs", Jobs.class);

	@Test
	void monoTakesItsLeaseWhenSubscribed() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Mono<String> job = jobs.mono(() -> Mono.just("done"));
			assertThat(jobs.calls()).isEmpty();
			assertThat(GuardedContext.leases(context).requests()).isEmpty();
			assertThat(job.block(BOUND)).isEqualTo("done");
			assertThat(job.block(BOUND)).isEqualTo("done");
			assertThat(jobs.calls()).hasSize(2).allSatisfy((thread) -> assertThat(thread).contains("boundedElastic"));
			assertThat(GuardedContext.leases(context).requests()).hasSize(2);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
			assertThat(GuardedContext.leases(context).releasingThreads())
				.allSatisfy((thread) -> assertThat(thread.getName()).startsWith("locket-release-"));
		});
	}

	@Test
	void fluxHoldsItsLeaseUntilItEnds() {
		this.contextRunner.run((context) -> {
			Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
			StepVerifier.create(context.getBean(Jobs.class).flux(sink::asFlux))
				.then(() -> sink.tryEmitNext("one"))
				.expectNext("one")
				.then(() -> assertThat(GuardedContext.leases(context).held(1)).hasSize(1))
				.then(sink::tryEmitComplete)
				.expectComplete()
				.verify(BOUND);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void errorReleases() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			StepVerifier.create(jobs.mono(() -> Mono.error(new IllegalStateException("late"))))
				.expectErrorMessage("late")
				.verify(BOUND);
			StepVerifier.create(jobs.flux(() -> {
				throw new IllegalStateException("early");
			})).expectErrorMessage("early").verify(BOUND);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void errorOfTheMethodThatReactorDoesNotSignalReleases() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			StepVerifier.create(jobs.mono(() -> {
				throw new NoClassDefFoundError("gone");
			})).expectError(NoClassDefFoundError.class).verify(BOUND);
			StepVerifier.create(jobs.flux(() -> {
				throw new StackOverflowError("gone");
			})).expectError(StackOverflowError.class).verify(BOUND);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "notify", "interrupt" })
	void cancellationWhileTheMethodRunsReleasesAfterIt(String onLost) {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=" + onLost).run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			CountDownLatch running = new CountDownLatch(2);
			CountDownLatch ending = new CountDownLatch(1);
			Supplier<Mono<String>> body = () -> {
				running.countDown();
				assertThat(await(ending)).isTrue();
				return Mono.just("done");
			};
			Disposable mono = jobs.mono(body).subscribe();
			Disposable flux = jobs.flux(() -> body.get().flux()).subscribe();
			assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
			mono.dispose();
			flux.dispose();
			// A release at once would have ended before this one.
			assertThat(jobs.free(1).block(BOUND)).isEqualTo("done");
			assertThat(GuardedContext.leases(context).held(2)).hasSize(2);
			ending.countDown();
			awaitFree(context);
		});
	}

	@Test
	void cancellationReleases() {
		this.contextRunner.run((context) -> {
			CountDownLatch started = new CountDownLatch(1);
			Disposable subscription = context.getBean(Jobs.class)
				.mono(() -> Mono.<String>never().doOnSubscribe((s) -> started.countDown()))
				.subscribe();
			assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			subscription.dispose();
			awaitFree(context);
		});
	}

	@Test
	void moreWaitersThanThreadsDoNotHoldUpTheRelease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Sinks.Empty<String> end = Sinks.empty();
			List<Disposable> subscriptions = new ArrayList<>();
			subscriptions.add(jobs.patient(end::asMono).subscribe());
			Awaitility.await().until(() -> !GuardedContext.leases(context).held(1).isEmpty());
			CountDownLatch ended = new CountDownLatch(100);
			for (int i = 0; i < 100; i++) {
				subscriptions.add(jobs.patient(Mono::empty).doFinally((signal) -> ended.countDown()).subscribe());
			}
			Awaitility.await().until(() -> GuardedContext.leases(context).requests().size() > 20);
			assertThat(jobs.free(1).block(BOUND)).isEqualTo("done");
			end.tryEmitEmpty();
			assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
			awaitFree(context);
			subscriptions.forEach(Disposable::dispose);
		});
	}

	@Test
	void cancellationEndsTheWait() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			TestLeaseService leases = GuardedContext.leases(context);
			try (Lease other = GuardedContext.take(context, "jobs.waiting")) {
				Disposable subscription = jobs.waiting().subscribe();
				Awaitility.await().until(() -> leases.waiting() == 1);
				subscription.dispose();
				assertThat(leases.waiting()).isZero();
			}
			assertThat(jobs.calls()).isEmpty();
			assertThat(jobs.patient(() -> Mono.just(Thread.currentThread().getName())).block(BOUND))
				.contains("boundedElastic");
		});
	}

	@Test
	void waitThatIsOverIsAnError() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "jobs.impatient")) {
				StepVerifier.create(context.getBean(Jobs.class).impatient())
					.expectError(DuplicateJobException.class)
					.verify(BOUND);
			}
		});
	}

	@Test
	void storeWithoutAReplyIsAnErrorOfACallThatWaits() {
		this.contextRunner.run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			StepVerifier.create(context.getBean(Jobs.class).waiting())
				.expectError(LeaseUnavailableException.class)
				.verify(BOUND);
		});
	}

	@Test
	void nestedWaitsOfManyCallsDoNotBlockOneAnother() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			List<Mono<String>> calls = new ArrayList<>();
			for (int i = 0; i < 64; i++) {
				calls.add(jobs.patient(() -> jobs.waiting()));
			}
			assertThat(Flux.merge(Flux.fromIterable(calls), 64).collectList().block(BOUND)).hasSize(64)
				.containsOnly("done");
			awaitFree(context);
		});
	}

	@Test
	void cancellationWhileWaitingReleases() {
		this.contextRunner.run((context) -> {
			Lease other = GuardedContext.take(context, "jobs.waiting");
			Disposable subscription = context.getBean(Jobs.class).waiting().subscribe();
			Awaitility.await().until(() -> GuardedContext.leases(context).requests().size() == 2);
			subscription.dispose();
			other.close();
			awaitFree(context);
			assertThat(context.getBean(Jobs.class).calls()).isEmpty();
		});
	}

	@Test
	void cancellationsAtAnyMomentLeaveNoLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			for (int i = 0; i < 500; i++) {
				Disposable subscription = jobs.free(i).subscribe();
				for (int spin = 0; spin < i * 20; spin++) {
					Thread.onSpinWait();
				}
				subscription.dispose();
			}
			awaitFree(context);
		});
	}

	/**
	 * A claim whose body has not begun is given back, so that the period is not used up.
	 */
	@Test
	void cancellationsAtAnyMomentLeaveAClaimOnlyWhereTheBodyBegan() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			int calls = 500;
			for (int i = 0; i < calls; i++) {
				Disposable subscription = ((i % 2 == 0) ? jobs.once(i).flux() : jobs.onceFlux(i)).subscribe();
				for (int spin = 0; spin < i * 20; spin++) {
					Thread.onSpinWait();
				}
				subscription.dispose();
			}
			IntPredicate claimed = (i) -> GuardedContext.leases(context)
				.findClaim(context.getBean(UniqueJobs.class).keyOf((i % 2 == 0) ? "jobs.once" : "jobs.onceFlux", i))
				.isPresent();
			Awaitility.await()
				.untilAsserted(() -> assertThat(IntStream.range(0, calls).filter(claimed).boxed())
					.containsExactlyInAnyOrderElementsOf(jobs.begun()));
		});
	}

	@Test
	void refusedCallIsEmpty() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			try (Lease other = GuardedContext.take(context, "one", (Supplier<Mono<String>>) Mono::empty)) {
				assertThat(jobs.mono(() -> Mono.just("done")).blockOptional(BOUND)).isEmpty();
			}
			try (Lease other = GuardedContext.take(context, "jobs.flux", (Supplier<Flux<String>>) Flux::empty)) {
				assertThat(jobs.flux(() -> Flux.just("done")).collectList().block(BOUND)).isEmpty();
			}
			assertThat(jobs.calls()).isEmpty();
		});
	}

	@Test
	void raiseIsAnError() {
		this.contextRunner.run((context) -> {
			try (Lease other = GuardedContext.take(context, "jobs.raising")) {
				StepVerifier.create(context.getBean(Jobs.class).raising())
					.expectError(DuplicateJobException.class)
					.verify(BOUND);
			}
		});
	}

	@Test
	void keyErrorIsThrownByTheCall() {
		this.contextRunner.run((context) -> assertThatExceptionOfType(JobKeyException.class)
			.isThrownBy(() -> context.getBean(Jobs.class).keyed(null)));
	}

	@Test
	void contextIsInThePipeline() {
		this.contextRunner.run((context) -> {
			Long fence = context.getBean(Jobs.class)
				.mono(() -> Mono.deferContextual((view) -> Mono.just("" + view.get(JobContext.class).fencingToken())))
				.map(Long::valueOf)
				.block(BOUND);
			assertThat(fence).isEqualTo(1);
		});
	}

	@Test
	void nestedPipelineOfSameKeyRunsInsideLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Mono<String> job = jobs.mono(() -> Mono.just("outer")
				.delayElement(Duration.ofMillis(1))
				.flatMap((outer) -> jobs.raising().then(jobs.mono(() -> Mono.just("inner")))));
			assertThat(job.block(BOUND)).isEqualTo("inner");
			assertThat(GuardedContext.leases(context).requests()).hasSize(2);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void pipelineOfTheKeyOfAnyEnclosingOneRunsInsideItsLease() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Supplier<Mono<String>> innermost = () -> jobs.mono(() -> Mono.just("innermost"));
			Supplier<Mono<String>> inner = () -> Mono.just("inner")
				.delayElement(Duration.ofMillis(1))
				.flatMap((value) -> innermost.get());
			Supplier<Mono<String>> outer = () -> Mono.just("outer")
				.delayElement(Duration.ofMillis(1))
				.flatMap((value) -> jobs.other(inner));
			assertThat(jobs.mono(outer).block(BOUND)).isEqualTo("innermost");
			assertThat(GuardedContext.leases(context).requests()).hasSize(2);
			assertThat(GuardedContext.leases(context).held(1)).isEmpty();
		});
	}

	@Test
	void lossFailsThePipelineWhenInterrupting() {
		this.contextRunner.withPropertyValues("locket.lease.on-lost.direct=interrupt").run((context) -> {
			CountDownLatch cancelled = new CountDownLatch(2);
			Jobs jobs = context.getBean(Jobs.class);
			AtomicBoolean running = new AtomicBoolean();
			StepVerifier
				.create(jobs.mono(() -> Mono.<String>never()
					.doOnCancel(cancelled::countDown)
					.doOnSubscribe((subscription) -> running.set(true))))
				.then(() -> Awaitility.await().untilTrue(running))
				.then(() -> GuardedContext.leases(context).lose(LeaseLossCause.GONE))
				.expectError(LeaseLostException.class)
				.verify(BOUND);
			StepVerifier
				.create(jobs.flux(() -> Flux.just("one").concatWith(Flux.never()).doOnCancel(cancelled::countDown)))
				.expectNext("one")
				.then(() -> GuardedContext.leases(context).lose(LeaseLossCause.GONE))
				.expectError(LeaseLostException.class)
				.verify(BOUND);
			assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
		});
	}

	@Test
	void unavailableStoreLetsThePipelineRunWithoutContext() {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=run").run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			assertThat(context.getBean(Jobs.class)
				.mono(() -> Mono.deferContextual((view) -> Mono.just("" + view.hasKey(JobContext.class))))
				.block(BOUND)).isEqualTo("false");
		});
	}

	@Test
	void unavailableStoreLetsACallThatWaitsRun() {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=run").run((context) -> {
			GuardedContext.leases(context).setUnavailable(true);
			assertThat(context.getBean(Jobs.class).waiting().block(BOUND)).isEqualTo("done");
		});
	}

	@Test
	void pipelineThatRunsUnguardedInsideAGuardedOneHasNoContext() {
		this.contextRunner.withPropertyValues("locket.lease.on-unavailable=run").run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			TestLeaseService leases = GuardedContext.leases(context);
			Supplier<Mono<String>> inner = () -> Mono
				.deferContextual((view) -> Mono.just("" + view.hasKey(JobContext.class)))
				.doOnTerminate(() -> leases.setUnavailable(false));
			Supplier<Mono<String>> outer = () -> Mono.just("outer")
				.doOnNext((value) -> leases.setUnavailable(true))
				.flatMap((value) -> jobs.other(inner));
			assertThat(jobs.mono(outer).block(BOUND)).isEqualTo("false");
		});
	}

	@Test
	void unguardedPipelineInsideAGuardedOneHasNoContext() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Supplier<Mono<String>> body = () -> Mono.just("outer").flatMap((outer) -> jobs.unguarded());
			assertThat(jobs.mono(body).block(BOUND)).isEqualTo("false");
		});
	}

	@Test
	void innerAspectFindsItsInvocation() {
		this.contextRunner.withBean(Audit.class).run((context) -> {
			assertThat(context.getBean(Jobs.class).raising().block(BOUND)).isEqualTo("done");
			assertThat(context.getBean(Audit.class).seen).containsExactly("raising");
		});
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	private static void awaitFree(ApplicationContext context) {
		Awaitility.await().until(() -> GuardedContext.leases(context).held(1).isEmpty());
	}

	static class Jobs {

		private final List<String> calls = new ArrayList<>();

		private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

		Set<Integer> begun() {
			return this.begun;
		}

		List<String> calls() {
			return this.calls;
		}

		@UniqueJob(name = "one", key = "'one'")
		public Mono<String> mono(Supplier<Mono<String>> body) {
			JobContext.current().ifPresent((context) -> this.calls.add(Thread.currentThread().getName()));
			return body.get();
		}

		@UniqueJob(key = "'other'")
		public Mono<String> other(Supplier<Mono<String>> body) {
			return body.get();
		}

		@UniqueJob(key = "'one'")
		public Flux<String> flux(Supplier<Flux<String>> body) {
			return body.get();
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public Mono<String> unguarded() {
			return Mono.deferContextual((view) -> Mono.just("" + view.hasKey(JobContext.class)));
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public Mono<String> raising() {
			return Mono.just("done");
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "10s")
		public Mono<String> waiting() {
			this.calls.add("waiting");
			return Mono.just("done");
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "50ms")
		public Mono<String> impatient() {
			return Mono.just("done");
		}

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.WAIT, waitFor = "30s")
		public Mono<String> patient(Supplier<Mono<String>> body) {
			return body.get();
		}

		@UniqueJob
		public Mono<String> free(int id) {
			return Mono.just("done");
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public Mono<String> once(int id) {
			this.begun.add(id);
			return Mono.just("done");
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public Flux<String> onceFlux(int id) {
			this.begun.add(id);
			return Flux.just("done");
		}

		@UniqueJob(key = "#id")
		public Mono<String> keyed(String id) {
			return Mono.just("done");
		}

	}

	@Aspect
	static class Audit {

		final List<String> seen = new ArrayList<>();

		@Before("execution(* io.locket.aop.ReactiveGuardTests.Jobs.raising())")
		public void audit(JoinPoint joinPoint) {
			this.seen.add(joinPoint.getSignature().getName());
		}

	}

}
