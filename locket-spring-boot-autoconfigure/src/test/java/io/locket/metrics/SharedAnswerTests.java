package io.locket.metrics;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedAnswer}.
 */
class SharedAnswerTests {

	private static final Duration MAX_AGE = Duration.ofSeconds(5);

	private final AtomicLong time = new AtomicLong();

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void resultServesAllCallersUntilItIsTooOld() {
		SharedAnswer<Integer> answer = new SharedAnswer<>(this.calls::incrementAndGet, MAX_AGE, this.time::get);
		assertThat(answer.get()).isEqualTo(1);
		this.time.set(MAX_AGE.toNanos() - 1);
		assertThat(answer.get()).isEqualTo(1);
		this.time.set(MAX_AGE.toNanos());
		assertThat(answer.get()).isEqualTo(2);
	}

	@Test
	void failureIsSharedAsWell() {
		SharedAnswer<Integer> answer = new SharedAnswer<>(() -> {
			this.calls.incrementAndGet();
			throw new IllegalStateException("no reply");
		}, MAX_AGE, this.time::get);
		assertThat(answer.get()).isNull();
		assertThat(answer.get()).isNull();
		assertThat(this.calls).hasValue(1);
	}

	@Test
	void ageCountsFromTheEndOfTheCall() {
		SharedAnswer<Integer> answer = new SharedAnswer<>(() -> {
			this.time.addAndGet(Duration.ofSeconds(30).toNanos());
			return this.calls.incrementAndGet();
		}, MAX_AGE, this.time::get);
		assertThat(answer.get()).isEqualTo(1);
		assertThat(answer.get()).isEqualTo(1);
	}

	@Test
	void concurrentCallersWaitForOneCall() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch reply = new CountDownLatch(1);
		SharedAnswer<Integer> answer = new SharedAnswer<>(() -> {
			called.countDown();
			await(reply);
			return this.calls.incrementAndGet();
		}, MAX_AGE, this.time::get);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			Future<Integer> first = threads.submit(answer::get);
			await(called);
			Future<Integer> second = threads.submit(answer::get);
			reply.countDown();
			assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(1);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
