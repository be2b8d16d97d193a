package io.locket.queue.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.TestJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryJobQueue} that are not in the tests of all implementations.
 */
class InMemoryJobQueueTests {

	private static final int THREADS = 4;

	private static final int JOBS = 100;

	@Test
	void jobsOfManyThreadsRunOnceAndNoTwoOfAKeyAtOnce() throws Exception {
		InMemoryJobQueue queue = new InMemoryJobQueue();
		Set<String> running = ConcurrentHashMap.newKeySet();
		AtomicInteger ended = new AtomicInteger();
		ExecutorService executor = Executors.newFixedThreadPool(2 * THREADS);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				String thread = "t" + i;
				futures.add(executor.submit(() -> produce(queue, thread)));
				futures.add(executor.submit(() -> consume(queue, thread, running, ended)));
			}
			for (Future<?> future : futures) {
				future.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(queue.counts("q").in(JobState.SUCCEEDED)).isEqualTo(THREADS * JOBS);
		assertThat(queue.verify()).isEmpty();
	}

	private static void produce(InMemoryJobQueue queue, String thread) {
		for (int i = 0; i < JOBS; i++) {
			queue.enqueue(TestJob.of(thread + "-" + i).with(LockStrategy.WHILE_EXECUTING, "k" + i % 7).build());
		}
	}

	private static void consume(InMemoryJobQueue queue, String thread, Set<String> running, AtomicInteger ended) {
		for (int i = 0; ended.get() < THREADS * JOBS; i++) {
			List<ReservedJob> jobs = queue
				.reserve(new ReservationRequest(thread + i, thread, thread, thread,
						List.of(new ReservationRequest.QueueLimit("q", 0)), 1))
				.jobs();
			for (ReservedJob job : jobs) {
				assertThat(running.add(job.record().key().digest())).isTrue();
				Thread.yield();
				running.remove(job.record().key().digest());
				assertThat(queue.settle(List.of(RunEnd.succeeded(job)), null).ends().get(0).counted()).isTrue();
				ended.incrementAndGet();
			}
		}
	}

}
