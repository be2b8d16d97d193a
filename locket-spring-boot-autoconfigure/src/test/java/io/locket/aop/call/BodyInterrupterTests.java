package io.locket.aop.call;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.locket.ConflictStrategy;
import io.locket.LeaseLossCause;
import io.locket.LeaseLostException;
import io.locket.UniqueJob;
import io.locket.aop.GuardedContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the interruption of bodies whose lease is lost.
 */
class BodyInterrupterTests {

	private final ApplicationContextRunner contextRunner = GuardedContext.runner()
		.withBean("jobs", Jobs.class)
		.withPropertyValues("locket.lease.on-lost.direct=interrupt");

	/**
	 * Returns executors of platform threads, and of virtual threads if the JVM has them.
	 */
	static List<ExecutorService> executors() throws IllegalAccessException, InvocationTargetException {
		try {
			return List.of(Executors.newCachedThreadPool(),
					(ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
		}
		catch (NoSuchMethodException ex) {
			return List.of(Executors.newCachedThreadPool(), Executors.newSingleThreadExecutor());
		}
	}

	@ParameterizedTest
	@MethodSource("executors")
	void lossInterruptsBody(ExecutorService executor) {
		this.contextRunner.run((context) -> {
			CountDownLatch started = new CountDownLatch(1);
			Future<Boolean> flag = executor.submit(() -> {
				try {
					context.getBean(Jobs.class).run(() -> {
						started.countDown();
						new CountDownLatch(1).await();
						return "";
					});
					return false;
				}
				catch (InterruptedException ex) {
					return !Thread.currentThread().isInterrupted();
				}
			});
			assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
			GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
			assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
		});
		executor.shutdownNow();
	}

	@ParameterizedTest
	@MethodSource("executors")
	void flagIsClearedWhenBodyIgnoresIt(ExecutorService executor) {
		this.contextRunner.run((context) -> {
			Future<Boolean> flag = executor.submit(() -> {
				context.getBean(Jobs.class).run(() -> {
					GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
					assertThat(Thread.currentThread().isInterrupted()).isTrue();
					return "";
				});
				return Thread.currentThread().isInterrupted();
			});
			assertThat(flag.get(10, TimeUnit.SECONDS)).isFalse();
		});
		executor.shutdownNow();
	}

	@Test
	void foreignInterruptIsKept() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).run(() -> {
				Thread.currentThread().interrupt();
				GuardedContext.leases(context).lose(LeaseLossCause.TAKEN);
				return "";
			});
			assertThat(Thread.interrupted()).isTrue();
		});
	}

	@Test
	void lossOfInnerLeaseClearsOnlyItsOwnFlag() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).run(() -> {
				context.getBean(Jobs.class).other(() -> {
					loseLatest(context);
					assertThat(Thread.currentThread().isInterrupted()).isTrue();
					return "";
				});
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				return "";
			});
			assertThat(Thread.interrupted()).isFalse();
		});
	}

	@Test
	void lossOfTheOuterLeaseIsSeenAfterAnInnerBodyThatWasInterruptedBefore() {
		this.contextRunner.run((context) -> {
			context.getBean(Jobs.class).run(() -> {
				context.getBean(Jobs.class).other(() -> {
					loseLatest(context);
					GuardedContext.leases(context).lose(LeaseLossCause.UNREACHABLE);
					assertThat(Thread.currentThread().isInterrupted()).isTrue();
					return "";
				});
				assertThat(Thread.currentThread().isInterrupted()).isTrue();
				return "";
			});
			assertThat(Thread.interrupted()).isFalse();
		});
	}

	@Test
	void interruptOfAnOuterBodyIsSetAgainAfterEachInnerBodyThatMayHaveClearedIt() {
		BodyInterrupter outer = BodyInterrupter.begin();
		BodyInterrupter middle = BodyInterrupter.begin();
		BodyInterrupter inner = BodyInterrupter.begin();
		inner.interrupt();
		assertThat(Thread.interrupted()).isTrue();
		outer.interrupt();
		inner.end();
		assertThat(Thread.interrupted()).isTrue();
		middle.end();
		assertThat(Thread.interrupted()).isTrue();
		BodyInterrupter next = BodyInterrupter.begin();
		next.interrupt();
		next.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		outer.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void bodyThatHasEndedIsNotInterrupted() {
		this.contextRunner.run((context) -> {
			BodyInterrupter interrupter = BodyInterrupter.begin();
			interrupter.end();
			interrupter.interrupt();
			assertThat(Thread.interrupted()).isFalse();
			CompletableFuture<String> pending = new CompletableFuture<>();
			CompletableFuture<String> result = context.getBean(Jobs.class).future(pending);
			assertThat(GuardedContext.leases(context).held(1)).hasSize(1);
			GuardedContext.leases(context).lose(LeaseLossCause.GONE);
			assertThat(Thread.interrupted()).isFalse();
			assertThat(result).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LeaseLostException.class);
		});
	}

	@Test
	void interruptNeverReachesTheThreadAfterTheBody() throws Exception {
		for (int i = 0; i < 2000; i++) {
			BodyInterrupter interrupter = BodyInterrupter.begin();
			CyclicBarrier barrier = new CyclicBarrier(2);
			Thread loser = new Thread(() -> {
				awaitOther(barrier);
				interrupter.interrupt();
			});
			loser.start();
			awaitOther(barrier);
			for (int spin = 0; spin < i % 200; spin++) {
				Thread.onSpinWait();
			}
			interrupter.end();
			boolean interrupted = Thread.currentThread().isInterrupted();
			loser.join();
			assertThat(interrupted).isFalse();
			assertThat(Thread.interrupted()).isFalse();
		}
	}

	private static void awaitOther(CyclicBarrier barrier) {
		try {
			barrier.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void loseLatest(ApplicationContext context) {
		GuardedContext.leases(context).lose(LeaseLossCause.GONE, 2);
	}

	static class Jobs {

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.RAISE)
		public <T> T run(Callable<T> body) throws Exception {
			return body.call();
		}

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.RAISE)
		public <T> T other(Callable<T> body) throws Exception {
			return body.call();
		}

		@UniqueJob(key = "'one'")
		public CompletableFuture<String> future(CompletableFuture<String> result) {
			return result;
		}

	}

}
