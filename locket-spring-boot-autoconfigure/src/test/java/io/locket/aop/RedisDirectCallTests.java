package io.locket.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.JobContext;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.aop.call.RunningCalls;
import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.job.UniqueJobs;
import io.locket.lease.LeaseService;
import io.locket.testing.ChildJvm;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for direct calls on a real Redis: between contexts, between processes, and at the
 * closing of a context.
 */
class RedisDirectCallTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final String namespace = RedisServer.newNamespace();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final ApplicationContextRunner runner = runner(RedisServer.shared().properties(), this.namespace);

	@AfterEach
	void close() {
		this.executor.shutdownNow();
	}

	private static ApplicationContextRunner runner(String[] server, String namespace) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class))
			.withPropertyValues(server)
			.withPropertyValues("locket.namespace=" + namespace, "locket.lease.duration=3s",
					"locket.lease.heartbeat=500ms", "locket.redis.command-timeout=900ms")
			.withBean("jobs", Jobs.class);
	}

	@Test
	void callsOfTwoContextsExcludeOneAnother() {
		this.runner.run((one) -> this.runner.run((two) -> {
			Jobs jobs = one.getBean(Jobs.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> jobs.hold(1), this.executor);
			CompletableFuture<String> raised = CompletableFuture.supplyAsync(() -> jobs.raise(1), this.executor);
			assertThat(jobs.started().await(10, TimeUnit.SECONDS)).isTrue();
			Awaitility.await().until(() -> jobs.runs().get() == 2);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> two.getBean(Jobs.class).raise(1))
				.withMessageContaining("jobs.raise[1]")
				.satisfies((ex) -> {
					assertThat(ex.getHolder().instance()).contains("/" + ProcessHandle.current().pid() + "/");
					assertThat(ex.getRemaining()).isPositive();
				});
			two.getBean(Jobs.class).hold(1);
			assertThat(two.getBean(Jobs.class).runs()).hasValue(0);
			jobs.finish();
			call.get(10, TimeUnit.SECONDS);
			assertThat(raised.get(10, TimeUnit.SECONDS)).isEqualTo("raised");
			two.getBean(Jobs.class).finish();
			assertThat(two.getBean(Jobs.class).raise(1)).isEqualTo("raised");
		}));
	}

	@Test
	void offersFromManyThreadsOfTwoContextsNeverOverlap() {
		// A busy machine may take long for the calls of 40 threads.
		ApplicationContextRunner patient = this.runner.withPropertyValues("locket.lease.duration=30s",
				"locket.redis.command-timeout=8s");
		patient.run((one) -> patient.run((two) -> {
			AtomicInteger written = new AtomicInteger();
			List<CompletableFuture<Void>> calls = new ArrayList<>();
			IntStream.range(0, 40).forEach((i) -> {
				Jobs jobs = ((i % 2 == 0) ? one : two).getBean(Jobs.class);
				calls.add(CompletableFuture.runAsync(() -> jobs.await(() -> {
					int read = written.get();
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
					written.set(read + 1);
				}), this.executor));
			});
			CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
			assertThat(written).hasValue(40);
			assertThat(one.getBean(Jobs.class).runs().get() + two.getBean(Jobs.class).runs().get()).isEqualTo(40);
		}));
	}

	@Test
	void guardedCallIsTwoCommandsAndUnguardedOneIsNone() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.finish();
			jobs.raise(0);
			try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
				jobs.raise(1);
				assertThat(counter.commandsMentioning(this.namespace)).hasSize(2);
				counter.reset();
				jobs.unguarded();
				assertThat(counter.commandsMentioning(this.namespace)).isEmpty();
			}
		});
	}

	@Test
	void claimOfAPeriodIsKeptWhenTheBodyFails() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(jobs::daily);
			jobs.daily();
			assertThat(jobs.runs()).hasValue(1);
			assertThat(context.getBean(UniqueJobs.class).isAvailable("jobs.daily")).isFalse();
		});
	}

	@Test
	void callOfAKilledProcessIsTakenOverAfterItsRemainingTimeAndWithinASecondAfter() {
		String[] server = RedisServer.shared().properties();
		try (ChildJvm child = ChildJvm.start(Replica.class, server[0], server[1], this.namespace)) {
			child.awaitLine("running", TIMEOUT);
			this.runner.run((context) -> {
				LeaseService leases = context.getBean(LeaseService.class);
				child.kill();
				long killedAt = System.nanoTime();
				Duration remaining = leases.find(context.getBean(UniqueJobs.class).keyOf("jobs.takeOver", 7L))
					.orElseThrow()
					.remaining();
				Duration lookedFor = Duration.ofNanos(System.nanoTime() - killedAt);
				context.getBean(Jobs.class).finish();
				context.getBean(Jobs.class).takeOver(7);
				Duration elapsed = Duration.ofNanos(System.nanoTime() - killedAt);
				assertThat(elapsed).isGreaterThanOrEqualTo(remaining.minusMillis(1))
					.isLessThan(remaining.plus(lookedFor).plusSeconds(1));
			});
		}
	}

	@Test
	void closingContextWaitsForACallThatRuns() {
		this.runner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			CompletableFuture<Void> call = CompletableFuture.runAsync(() -> jobs.hold(1), this.executor);
			assertThat(jobs.started().await(10, TimeUnit.SECONDS)).isTrue();
			CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close, this.executor);
			RunningCalls calls = context.getBean(RunningCalls.class);
			Awaitility.await().until(() -> !calls.isRunning());
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.atMost(Duration.ofSeconds(5))
				.until(() -> !closing.isDone());
			jobs.finish();
			closing.get(10, TimeUnit.SECONDS);
			call.get(10, TimeUnit.SECONDS);
			assertThat(RedisServer.shared().execute("ZCARD", "{" + this.namespace + "}:leases")).isEqualTo(0L);
		});
	}

	@Test
	void callThatOutlivesTheShutdownKeepsItsLeaseUntilItEnds() {
		Jobs[] kept = new Jobs[1];
		List<CompletableFuture<Void>> calls = new ArrayList<>();
		this.runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=200ms").run((context) -> {
			kept[0] = context.getBean(Jobs.class);
			calls.add(CompletableFuture.runAsync(() -> kept[0].hold(1), this.executor));
			assertThat(kept[0].started().await(10, TimeUnit.SECONDS)).isTrue();
		});
		Awaitility.await()
			.during(Duration.ofMillis(3500))
			.atMost(Duration.ofSeconds(8))
			.until(() -> RedisServer.shared().execute("ZCARD", "{" + this.namespace + "}:leases").equals(1L));
		kept[0].finish();
		calls.forEach(CompletableFuture::join);
		Awaitility.await()
			.until(() -> RedisServer.shared().execute("ZCARD", "{" + this.namespace + "}:leases").equals(0L));
		assertThat(kept[0].lost()).isFalse();
	}

	/**
	 * Jobs whose bodies a test releases.
	 */
	static class Jobs {

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch finish = new CountDownLatch(1);

		private final AtomicInteger runs = new AtomicInteger();

		private volatile boolean lost;

		@UniqueJob
		public void hold(long id) {
			block();
			this.lost = JobContext.required().isLeaseLost();
		}

		@UniqueJob(onConflict = ConflictStrategy.RAISE)
		public String raise(long id) {
			block();
			return "raised";
		}

		@UniqueJob(onConflict = ConflictStrategy.WAIT, waitFor = "20s")
		public void takeOver(long id) {
			block();
		}

		private void block() {
			this.runs.incrementAndGet();
			this.started.countDown();
			try {
				this.finish.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@UniqueJob(key = "'one'", onConflict = ConflictStrategy.WAIT, waitFor = "60s")
		public void await(Runnable body) {
			this.runs.incrementAndGet();
			body.run();
		}

		@UniqueJob(lock = LockStrategy.UNTIL_EXPIRED, uniqueFor = "1h")
		public void daily() {
			this.runs.incrementAndGet();
			throw new IllegalStateException("the body fails");
		}

		@UniqueJob(lock = LockStrategy.NONE)
		public void unguarded() {
			this.runs.incrementAndGet();
		}

		CountDownLatch started() {
			return this.started;
		}

		void finish() {
			this.finish.countDown();
		}

		AtomicInteger runs() {
			return this.runs;
		}

		boolean lost() {
			return this.lost;
		}

	}

	/**
	 * Another process that holds a call until it is killed.
	 */
	static final class Replica {

		private Replica() {
		}

		static void main(String[] args) {
			runner(new String[] { args[0], args[1] }, args[2]).run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				Thread call = new Thread(() -> jobs.takeOver(7));
				call.start();
				jobs.started().await();
				System.out.println("running");
				new Scanner(System.in).nextLine();
			});
		}

	}

}
