package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEvent;
import io.locket.event.JobReclaimed;
import io.locket.event.JobReturned;
import io.locket.event.JobStarted;
import io.locket.event.QueueEvent;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.RedisConnections;
import io.locket.testing.RedisServer;
import io.locket.testing.SilentProxy;
import io.locket.worker.reservation.RequestIds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for threads that share calls while replies are lost.
 */
class LostTurnsTests {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final int JOBS = 3000;

	private static final int LOSSES = 3;

	private final QueueFixture fixture = QueueFixture.create();

	private final SilentProxy proxy = SilentProxy.start(RedisServer.shared());

	private final OwnConnectionFactory factory = new OwnConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()),
			LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build(), "key");

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	private final Queue<String> ran = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.factory.destroy();
		this.proxy.close();
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void eachJobRunsOnceThoughRepliesToManyThreadsAreLost(int size) throws Exception {
		run(size, this.proxy::loseReplies);
	}

	/**
	 * Checks connections that are closed without their replies. The driver then sends its
	 * commands again.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void eachJobRunsOnceThoughCallsForManyThreadsAreSentTwice(int size) throws Exception {
		run(size, this.proxy::closeConnections);
	}

	/**
	 * Runs jobs while replies are lost.
	 * @param size the number of jobs that a thread requests. With eight, four threads
	 * fill a call, which is sent while another one is under way
	 * @param loseReplies loses replies
	 */
	private void run(int size, Runnable loseReplies) throws Exception {
		for (int from = 0; from < JOBS; from += 100) {
			this.fixture.queue.enqueue(IntStream.range(from, from + 100)
				.mapToObj((i) -> QueueFixture.job("job" + i, LockStrategy.UNTIL_AND_WHILE_EXECUTING, i))
				.toList());
		}
		this.factory.start();
		RedisConnections connections = new RedisConnections(this.factory, this.factory, TIMEOUT, () -> {
		});
		List<Future<?>> slots = new ArrayList<>();
		try (RedisJobQueue queue = new RedisJobQueue(connections, this.fixture.leaseKeys, QueueFixture.SETTINGS,
				new JobEventPublisher(List.of(this.events::add)));
				SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("slot-")) {
			for (String slot : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
				slots.add(threads.submit(() -> work(queue, slot, size)));
			}
			for (int loss = 1; loss <= LOSSES; loss++) {
				int enough = loss * JOBS / (LOSSES + 1);
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> this.ran.size() >= enough);
				loseReplies.run();
			}
			for (Future<?> slot : slots) {
				slot.get();
			}
		}
		assertThat(this.ran).hasSize(JOBS).doesNotHaveDuplicates();
		assertThat(this.events).noneMatch(JobReclaimed.class::isInstance);
		Map<String, Long> starts = counts(JobStarted.class);
		assertThat(counts(JobReturned.class))
			.allSatisfy((id, returns) -> assertThat(starts.get(id)).as(id).isGreaterThan(returns));
		assertThat(this.fixture.store.counts("default").in(JobState.SUCCEEDED)).isEqualTo(JOBS);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private Map<String, Long> counts(Class<? extends QueueEvent> type) {
		return this.events.stream()
			.filter(type::isInstance)
			.map(type::cast)
			.collect(Collectors.groupingBy(QueueEvent::id, Collectors.counting()));
	}

	/**
	 * Runs jobs until all have run. It repeats calls without a reply, as a worker does.
	 */
	private void work(RedisJobQueue queue, String slot, int size) {
		List<ReservedJob> jobs = List.of();
		while (this.ran.size() < JOBS || !jobs.isEmpty()) {
			jobs.forEach((job) -> this.ran.add(job.record().id()));
			List<RunEnd> ends = jobs.stream().map(RunEnd::succeeded).toList();
			ReservationRequest next = request(slot, size);
			Settlement settlement = null;
			while (settlement == null) {
				settlement = settle(queue, ends, next);
			}
			jobs = Objects.requireNonNull(settlement.next()).jobs();
			assertThat(jobs).hasSizeLessThanOrEqualTo(size);
		}
	}

	/**
	 * Returns a request with an id of a worker. Redis knows the order of these ids only.
	 * With others, a call for several threads that is found lost after a later request of
	 * its first thread would take the place of that, and its jobs would belong to no
	 * thread.
	 */
	private static ReservationRequest request(String slot, int size) {
		ReservationRequest request = QueueFixture.request(slot, size, "default");
		return new ReservationRequest(RequestIds.next(), slot, request.instance(), request.thread(), request.queues(),
				size);
	}

	private static Settlement settle(RedisJobQueue queue, List<RunEnd> ends, ReservationRequest next) {
		try {
			return queue.settle(ends, next);
		}
		catch (QueueUnavailableException ex) {
			return null;
		}
	}

}
