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
 * Tests for {@link CachedResult}.
 */
class CachedResultTests {

	private static final Duration MAX_AGE = Duration.ofSeconds(5);

	private final AtomicLong time = new AtomicLong();

	private final AtomicInteger calls = new AtomicInteger();

	@Test
	void resultServesAllCallersUntilItIsTooOld() {
		CachedResult<Integer> result = new CachedResult<>(this.calls::incrementAndGet, MAX_AGE, this.time::get);
		assertThat(result.get()).isEqualTo(1);
		this.time.set(MAX_AGE.toNanos() - 1);
		assertThat(result.get()).isEqualTo(1);
		this.time.set(MAX_AGE.toNanos());
		assertThat(result.get()).isEqualTo(2);
	}

	@Test
	void failureIsSharedAsWell() {
		CachedResult<Integer> result = new CachedResult<>(() -> {
			this.calls.incrementAndGet();
			throw new IllegalStateException("no reply");
		}, MAX_AGE, this.time::get);
		assertThat(result.get()).isNull();
		assertThat(result.get()).isNull();
		assertThat(this.calls).hasValue(1);
	}

	@Test
	void ageCountsFromTheEndOfTheCall() {
		CachedResult<Integer> result = new CachedResult<>(() -> {
			this.time.addAndGet(Duration.ofSeconds(30).toNanos());
			return this.calls.incrementAndGet();
		}, MAX_AGE, this.time::get);
		assertThat(result.get()).isEqualTo(1);
		assertThat(result.get()).isEqualTo(1);
	}

	@Test
	void concurrentCallersWaitForOneCall() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch reply = new CountDownLatch(1);
		CachedResult<Integer> result = new CachedResult<>(() -> {
			called.countDown();
			await(reply);
			return this.calls.incrementAndGet();
		}, MAX_AGE, this.time::get);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			Future<Integer> first = threads.submit(result::get);
			await(called);
			Future<Integer> second = threads.submit(result::get);
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
