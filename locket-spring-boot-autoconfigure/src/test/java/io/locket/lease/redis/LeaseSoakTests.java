package io.locket.lease.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.locket.event.HeartbeatCompleted;
import io.locket.event.JobEvent;
import io.locket.lease.Lease;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that many short leases leave no trace behind, and for the cost of many long ones.
 */
class LeaseSoakTests {

	private static final int LEASES = 200_000;

	private static final int THREADS = 16;

	@Test
	@Tag("scale")
	void twoHundredThousandShortLeasesLeaveNothingBehind() throws Exception {
		Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		root.addAppender(log);
		try (LeaseFixture fixture = LeaseFixture.create()) {
			run(fixture, LEASES / 10);
			fixture.events.clear();
			Set<String> threads = threads();
			long heap = heap();
			run(fixture, LEASES * 9 / 10);
			fixture.events.clear();
			assertThat(heap() - heap).as("growth of the heap in bytes").isLessThan(8_000_000);
			assertThat(threads()).isSubsetOf(threads);
			// The beat, and the task for first renewals.
			assertThat(((ThreadPoolExecutor) fixture.threads.heartbeat()).getQueue()).hasSizeLessThanOrEqualTo(2);
			assertThat(((ThreadPoolExecutor) fixture.threads.watch()).getQueue()).hasSizeLessThanOrEqualTo(1);
			assertThat(((ThreadPoolExecutor) fixture.threads.cleanup()).getQueue()).isEmpty();
			assertThat(fixture.redis.keys("{" + fixture.keys.namespace() + "}:*"))
				.containsExactly(fixture.keys.fence());
			assertThat(log.list).filteredOn((event) -> event.getLevel().isGreaterOrEqual(Level.WARN)).isEmpty();
		}
		finally {
			root.detachAppender(log);
		}
	}

	private void run(LeaseFixture fixture, int leases) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int thread = i;
				futures.add(executor.submit(() -> {
					for (int n = 0; n < leases / THREADS; n++) {
						fixture.acquire(thread, n).close();
						if (n % 1000 == 0) {
							fixture.events.removeIf(JobEvent.class::isInstance);
						}
					}
				}));
			}
			for (Future<?> future : futures) {
				future.get(3, TimeUnit.MINUTES);
			}
		}
		finally {
			executor.shutdownNow();
			assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static Set<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("locket-") || name.startsWith("lettuce-"))
			.collect(Collectors.toSet());
	}

	private static long heap() {
		long used = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			used = Math.min(used, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
		}
		return used;
	}

	@Test
	void beatOfManyLeasesIsACommandForEachHundred() {
		try (LeaseFixture fixture = LeaseFixture.create(LeaseFixture.Settings.ofMillis(6000, 2000, 2000))) {
			List<Lease> leases = new ArrayList<>();
			for (int i = 0; i < 250; i++) {
				leases.add(fixture.acquire(i));
			}
			awaitBeat(fixture, 0);
			int beats = fixture.events(HeartbeatCompleted.class).size();
			try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
				awaitBeat(fixture, beats);
				assertThat(counter.commandsMentioning(fixture.keys.index())).hasSize(3);
			}
			assertThat(leases).allMatch(Lease::isHeld);
			leases.forEach(Lease::close);
		}
	}

	private void awaitBeat(LeaseFixture fixture, int seen) {
		Awaitility.await()
			.until(() -> fixture.events(HeartbeatCompleted.class)
				.stream()
				.skip(seen)
				.anyMatch((beat) -> beat.leases() == 250));
	}

}
