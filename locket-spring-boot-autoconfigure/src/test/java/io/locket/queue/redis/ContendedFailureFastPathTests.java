package io.locket.queue.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast path that ends failed runs while other jobs are parked on their
 * keys. It stores the same as the general script.
 */
class ContendedFailureFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture fast = this.pair.fast;

	@AfterEach
	void close() {
		this.pair.close();
	}

	private static NewJob job(String id, String queue, int key) {
		return QueueFixture.job(id, queue, LockStrategy.WHILE_EXECUTING, key);
	}

	private static NewJob job(String id) {
		return job(id, "default", 1);
	}

	private static RunEnd failure(ReservedJob run) {
		return RunEnd.retry(run, DELAY, "it broke");
	}

	/**
	 * Hands out jobs by all scripts, and parks others.
	 */
	private List<ReservedJob> start(int count) {
		ReservationRequest request = QueueFixture.request(9, "default", "other", "other2");
		List<ReservedJob> started = this.fixture.queue.reserve(request).jobs();
		assertThat(started).hasSize(count);
		assertThat(this.pair.other.queue.reserve(request).jobs()).hasSize(count);
		this.pair.both((each) -> each.events.clear());
		return started;
	}

	private ReservedJob startAndPark(NewJob... parked) {
		this.pair.enqueue(job("job"));
		ReservedJob run = start(1).get(0);
		this.pair.enqueue(parked);
		start(0);
		return run;
	}

	/**
	 * Ends failed runs by the fast path and by the general script, and compares the
	 * results, the events and all that is stored but fences.
	 */
	private void fail(List<RunEnd> ends) {
		Settlement settlement = this.fast.queue.settle(ends, null);
		assertThat(settlement).isEqualTo(this.pair.general.queue.settle(ends, null));
		assertThat(this.fast.events).containsExactlyInAnyOrderElementsOf(this.pair.general.events);
		this.pair.assertStoreIsSame();
	}

	private JobState state(String id) {
		return this.fixture.store.find(id).orElseThrow().state();
	}

	@Test
	void parkedJobFollows() {
		ReservedJob run = startAndPark(job("next"), job("later"));
		this.pair.advance(Duration.ofSeconds(3));
		fail(List.of(failure(run)));
		assertThat(Stream.of("job", "next", "later").map(this::state)).containsExactly(JobState.RETRY, JobState.READY,
				JobState.PARKED);
		assertThat(start(1).get(0).record().id()).isEqualTo("next");
	}

	@Test
	void parkedJobFollowsADeadLetter() {
		fail(List.of(RunEnd.dead(startAndPark(job("next")), "it broke")));
		assertThat(start(1).get(0).record().id()).isEqualTo("next");
	}

	@Test
	void jobsOfEachQueueFollow() {
		fail(List
			.of(failure(startAndPark(job("next"), job("one", "other", 1), job("later"), job("two", "other2", 1)))));
		assertThat(Stream.of("next", "one", "later", "two").map(this::state)).containsExactly(JobState.READY,
				JobState.READY, JobState.PARKED, JobState.READY);
	}

	@Test
	void jobsOfSeveralKeysFollow() {
		this.pair.enqueue(job("job1"), job("job2", "other", 2), job("job3", "default", 3));
		List<ReservedJob> runs = start(3);
		this.pair.enqueue(job("next1"), job("next2", "other", 2));
		start(0);
		fail(runs.stream().map(ContendedFailureFastPathTests::failure).toList());
		assertThat(start(2)).hasSize(2);
	}

	/**
	 * The parked job has failed before.
	 */
	@Test
	void parkedRetryFollows() {
		this.pair.enqueue(job("retry"));
		ReservedJob retry = start(1).get(0);
		Duration delay = Duration.ofSeconds(5);
		this.pair.both((each) -> each.queue.settle(List.of(RunEnd.retry(retry, delay, "it broke")), null));
		this.pair.enqueue(job("job"));
		ReservedJob run = start(1).get(0);
		this.pair.advance(delay);
		start(0);
		assertThat(state("retry")).isEqualTo(JobState.PARKED);
		this.fast.events.clear();
		this.pair.general.events.clear();
		fail(List.of(failure(run)));
		assertThat(start(1).get(0).record().id()).isEqualTo("retry");
	}

	/**
	 * A direct call waits for the key, or parked jobs did.
	 */
	@Test
	void keyWithoutParkedJobsIsFree() {
		ReservedJob run = startAndPark();
		this.pair.both((each) -> {
			each.redis.opsForValue().append(each.lock(QueueFixture.key(1)), " w");
			each.redis.opsForZSet().add(each.name("due"), "k:" + QueueFixture.key(1).digest(), each.now() + 35_000);
		});
		fail(List.of(failure(run)));
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "k:" + QueueFixture.key(1).digest()))
			.isNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void workersAreNotifiedOfAJobThatFollows(boolean paused) throws InterruptedException {
		ReservedJob run = startAndPark(job("next", "other", 1));
		if (paused) {
			this.pair.both((each) -> each.store.pause("other"));
		}
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			fail(List.of(failure(run)));
			assertThat(messages.untilNow()).isEqualTo(paused ? List.of() : List.of("other"));
		}
	}

	/**
	 * The reply to the first call is lost.
	 */
	@Test
	void repeatedCallPromotesNoOtherJob() {
		RunEnd end = failure(startAndPark(job("next"), job("later")));
		fail(List.of(end));
		this.fixture.queue.settle(List.of(end), null);
		this.pair.assertStoreIsSame();
	}

	@Test
	void parkedJobFollowsInAFullRedis() {
		try (RedisServer server = RedisServer.start()) {
			String namespace = RedisServer.newNamespace();
			try (QueueFixture all = QueueFixture.create(server, namespace);
					QueueFixture fastOnly = QueueFixture.createSilent(server, namespace,
							FastPathScripts.of(QueueScripts.load()))) {
				all.queue.enqueue(List.of(job("job"), job("next")));
				ReservedJob run = all.reserve(2, "default").jobs().get(0);
				server.execute("CONFIG", "SET", "maxmemory", "1");
				fastOnly.queue.settle(List.of(failure(run)), null);
				assertThat(all.store.counts("default").in(JobState.READY)).isOne();
				assertThat(all.store.verify()).isEmpty();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Other.class)
	void otherKeysAreLeftToTheGeneralScript(Other other) {
		this.pair.enqueue(job("job").copy().holdAtLeast(Duration.ofSeconds((other == Other.HELD) ? 9 : 0)).build());
		RunEnd end = failure(start(1).get(0));
		this.pair.enqueue(job("next"));
		start(0);
		byte[] record = this.fixture.record("next");
		byte[] counters = this.fixture.field("state", "q:default");
		other.change(this.fixture);
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(end), null));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.record("next", record);
		this.fixture.field("state", "q:default", counters);
		this.pair.both((each) -> each.queue.settle(List.of(end), null));
		this.fixture.store.repair();
	}

	/**
	 * What only the general script serves.
	 */
	private enum Other {

		HELD, MISSING, READY, PROMOTED, KEY, CUT, SIZE, PLACE, REMOVED, PROGRESS, JSON, COUNTER, ENTRY, QUEUE, QUEUES;

		void change(QueueFixture queue) {
			String entries = queue.name("parked-on:") + QueueFixture.key(1).digest();
			switch (this) {
				case HELD -> queue.advance(Duration.ofSeconds(1));
				case MISSING -> queue.redis.opsForHash().delete(queue.name("jobs"), "next");
				case READY -> queue.change("next", (record) -> record.with("s", "ready"));
				case PROMOTED -> queue.change("next", (record) -> record.with("g", 1));
				case KEY -> queue.change("next", (record) -> record.with("k", QueueFixture.key(2).digest()));
				case CUT -> queue.record("next", Arrays.copyOf(queue.record("next"), 30));
				case SIZE -> {
					byte[] record = queue.record("next");
					record[48]++;
					queue.record("next", record);
				}
				case PROGRESS -> queue.change("next", (record) -> record.withJson("pg", "\"5 1 2 x\""));
				case JSON -> queue.change("next", (record) -> record.withJson("er", "\"it \"broke\""));
				case PLACE -> queue.change("next", (record) -> record.with("n", 77));
				case REMOVED -> queue.change("next", (record) -> record.with("e", 0));
				case COUNTER -> queue.count("default", (counters) -> counters.with("parked", -20_000_000_000_000L));
				case ENTRY -> queue.redis.opsForZSet().add(entries, "a b", 0);
				case QUEUE -> queue.redis.opsForZSet().add(entries, "a 0000000000000002 next", 0);
				case QUEUES -> {
					for (int i = 0; i < 16; i++) {
						queue.redis.opsForZSet().add(entries, "a" + i + " 0000000000000001 next", 0);
					}
				}
			}
		}

	}

}
