package io.locket.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.locket.queue.QueueUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SharedReads}.
 */
class SharedReadsTests {

	private final AtomicLong now = new AtomicLong();

	private final AtomicInteger calls = new AtomicInteger();

	private final SharedReads reads = new SharedReads(this.now::get);

	@Test
	void readIsRepeatedWhenItIsOld() {
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(1);
		this.now.addAndGet(SharedReads.MAX_AGE.toNanos() - 1);
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(1);
		assertThat(this.reads.get("b", this.calls::incrementAndGet)).isEqualTo(2);
		this.now.addAndGet(1);
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(3);
	}

	@Test
	void readIsRepeatedAfterAWrite() {
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(1);
		assertThat(this.reads.change(() -> "done")).isEqualTo("done");
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(2);
	}

	@Test
	void failureIsShared() {
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(QueueUnavailableException.class)
				.isThrownBy(() -> this.reads.get("a", this::unavailable));
		}
		assertThat(this.calls).hasValue(1);
		this.now.addAndGet(SharedReads.MAX_AGE.toNanos());
		assertThat(this.reads.get("a", this.calls::incrementAndGet)).isEqualTo(2);
	}

	@Test
	void concurrentRequestsShareOneRead() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch gate = new CountDownLatch(1);
		List<CompletableFuture<Integer>> results = new ArrayList<>();
		results.add(CompletableFuture.supplyAsync(() -> this.reads.get("a", () -> {
			begun.countDown();
			await(gate);
			return this.calls.incrementAndGet();
		})));
		await(begun);
		this.now.addAndGet(10 * SharedReads.MAX_AGE.toNanos());
		for (int i = 0; i < 3; i++) {
			results.add(CompletableFuture.supplyAsync(() -> this.reads.get("a", this.calls::incrementAndGet)));
		}
		gate.countDown();
		assertThat(results).allSatisfy((result) -> assertThat(result.join()).isEqualTo(1));
	}

	@Test
	void numberOfReadsIsBounded() {
		for (int i = 0; i < 1000; i++) {
			this.reads.get(i, this.calls::incrementAndGet);
		}
		assertThat(this.reads.get(999, this.calls::incrementAndGet)).isEqualTo(1000);
		assertThat(this.reads.get(0, this.calls::incrementAndGet)).isEqualTo(1001);
	}

	private int unavailable() {
		this.calls.incrementAndGet();
		throw new QueueUnavailableException("Redis did not respond", null);
	}

	@Test
	void readInProgressStaysWhenOthersNeedRoom() {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger slow = new AtomicInteger();
		CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> this.reads.get("slow", () -> {
			begun.countDown();
			await(end);
			return slow.incrementAndGet();
		}));
		await(begun);
		for (int i = 0; i < 200; i++) {
			this.reads.get(i, () -> "");
		}
		CompletableFuture<Integer> second = CompletableFuture
			.supplyAsync(() -> this.reads.get("slow", slow::incrementAndGet));
		end.countDown();
		assertThat(first.join()).isOne();
		assertThat(second.join()).isOne();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
