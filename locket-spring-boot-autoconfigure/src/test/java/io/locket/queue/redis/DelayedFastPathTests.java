package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.testing.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast paths of delayed jobs: when they are enqueued, and when they are
 * due. They store the same as the general scripts.
 */
class DelayedFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture other = this.pair.other;

	private final QueueFixture fast = this.pair.fast;

	private final QueueFixture general = this.pair.general;

	/**
	 * The fast paths leave the first job of a queue to the general script.
	 */
	@BeforeEach
	void createQueue() {
		NewJob first = QueueFixture.job("before", LockStrategy.NONE);
		enqueue(first);
		ReservationRequest request = QueueFixture.request(1, first.queue());
		this.pair.both((each) -> each.queue.settle(List.of(RunEnd.succeeded(each.queue.reserve(request).jobs().get(0))),
				null));
	}

	@AfterEach
	void close() {
		this.pair.close();
	}

	private void enqueue(NewJob... jobs) {
		this.pair.enqueue(jobs);
	}

	private void advance(Duration time) {
		this.pair.advance(time);
	}

	private Reservation reserve(int slots, String... queues) {
		return this.pair.reserve(slots, queues);
	}

	private static Map<String, String> stored(QueueFixture fixture) {
		return QueuePair.stored(fixture);
	}

	private static NewJob delayed(String id, String queue, LockStrategy lock) {
		return QueueFixture.job(id, queue, lock, id).copy().start(NewJob.Start.in(DELAY)).build();
	}

	private static NewJob delayed(String id) {
		return delayed(id, "default", LockStrategy.UNTIL_EXECUTED);
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.record().id()).toList();
	}

	static Stream<NewJob> delayedJobs() {
		NewJob job = delayed("job");
		Instant at = Instant.ofEpochMilli(1_000_000_090_000L);
		return Stream.of(job, delayed("none", "default", LockStrategy.NONE),
				delayed("executing", "default", LockStrategy.WHILE_EXECUTING),
				job.copy().unique(LockStrategy.UNTIL_EXECUTING, job.key(), Duration.ofHours(1)).build(),
				job.copy().start(NewJob.Start.at(at)).build(), job.copy().start(NewJob.Start.at(Instant.EPOCH)).build(),
				job.copy().start(NewJob.Start.in(Duration.ZERO)).build(), job.copy().trace("00-trace-01").build(),
				job.copy().start(NewJob.Start.at(Instant.ofEpochMilli(Long.MAX_VALUE))).build());
	}

	@ParameterizedTest
	@MethodSource("delayedJobs")
	void delayedJobIsStoredAsByTheGeneralScript(NewJob job) {
		assertThat(this.fast.queue.enqueue(job)).isEqualTo(new EnqueueResult.Accepted(job.id()))
			.isEqualTo(this.general.queue.enqueue(job));
		assertThat(stored(this.fixture)).isEqualTo(stored(this.other));
		assertThat(this.fast.events).isEqualTo(this.general.events).hasSize(1);
	}

	/**
	 * Checks calls that are left to the general script: a known id, a queue that is not
	 * known and one that was just removed.
	 */
	@Test
	void otherDelayedJobsAreLeftToTheGeneralScript() {
		this.fast.queue.enqueue(delayed("job"));
		this.fixture.queue.enqueue(QueueFixture.job("gone", "gone", LockStrategy.NONE));
		this.fixture.store.remove("gone");
		Map<String, String> before = stored(this.fixture);
		for (NewJob job : List.of(delayed("job"), delayed("unknown", "unknown", LockStrategy.NONE),
				delayed("after", "gone", LockStrategy.NONE))) {
			assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> reached(job)).as(job.id());
			assertThat(stored(this.fixture)).as(job.id()).isEqualTo(before);
		}
	}

	/**
	 * Enqueues a job by a queue whose fast path is tried with the first call.
	 */
	private void reached(NewJob job) {
		try (QueueFixture queue = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			queue.queue.enqueue(job);
		}
	}

	@Test
	void workersAreNotifiedOfTheFirstDelayedJobOnly() throws InterruptedException {
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fast.queue.enqueue(delayed("one"));
			assertThat(messages.untilNow()).containsExactly("default");
			this.fixture.advance(Duration.ofSeconds(1));
			this.fast.queue.enqueue(delayed("two"));
			assertThat(messages.untilNow()).isEmpty();
			this.fast.queue.enqueue(delayed("sooner").copy().start(NewJob.Start.in(DELAY.dividedBy(2))).build());
			assertThat(messages.untilNow()).containsExactly("default");
			this.fixture.store.pause("default");
			messages.untilNow();
			this.fast.queue.enqueue(delayed("soonest").copy().start(NewJob.Start.in(DELAY.dividedBy(3))).build());
			assertThat(messages.untilNow()).isEmpty();
		}
	}

	/**
	 * Checks that a worker which was told of the first job learns of the next one.
	 */
	@Test
	void pollThatServesTheFirstJobKnowsWhenTheNextIsDue() {
		this.fast.queue.enqueue(delayed("one"));
		this.fixture.advance(Duration.ofSeconds(1));
		this.fast.queue.enqueue(delayed("two"));
		assertThat(this.fast.reserve(2, "default").next()).isEqualTo(DELAY.minusSeconds(1));
		this.fixture.advance(DELAY.minusSeconds(1));
		assertThat(this.fast.reserve(2, "default").next()).isEqualTo(Duration.ofSeconds(1));
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = { "DEFAULT", "UNTIL_EXPIRED" })
	void dueJobIsHandedOut(LockStrategy lock) {
		enqueue(delayed("job", "default", lock));
		assertThat(ids(reserve(1, "default"))).isEmpty();
		advance(DELAY);
		ReservedJob job = reserve(1, "default").jobs().get(0);
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isZero();
		this.fast.queue.settle(List.of(RunEnd.succeeded(job)), QueueFixture.request(1, "default"));
		assertThat(this.fixture.store.find("job")).get()
			.extracting((record) -> record.state())
			.isEqualTo(JobState.SUCCEEDED);
	}

	/**
	 * The segments of ready jobs are small here, so the jobs belong to several.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 8, 20, 21, 45 })
	void manyDueJobsAreHandedOutInTheOrderOfTheirTimes(int count) {
		for (int i = 0; i < count; i++) {
			enqueue(delayed("job" + (100 + i)));
			advance(Duration.ofMillis(1));
		}
		advance(DELAY);
		for (int from = 0; from < count; from += 20) {
			assertThat(ids(reserve(20, "default"))).containsExactlyElementsOf(
					IntStream.range(from, Math.min(count, from + 20)).mapToObj((i) -> "job" + (100 + i)).toList());
		}
	}

	@Test
	void dueJobsFollowThoseThatAreReady() {
		enqueue(delayed("due"));
		advance(DELAY);
		enqueue(QueueFixture.job("ready", LockStrategy.NONE));
		assertThat(ids(reserve(1, "default"))).containsExactly("ready");
		assertThat(ids(reserve(1, "default"))).containsExactly("due");
	}

	@Test
	void dueJobsOfOtherQueuesBecomeReadyToo() {
		enqueue(delayed("one"), delayed("two", "other", LockStrategy.NONE),
				delayed("three", "third", LockStrategy.NONE));
		advance(DELAY);
		assertThat(ids(reserve(2, "default", "third"))).containsExactly("one", "three");
		assertThat(this.fixture.store.counts("other").in(JobState.READY)).isOne();
		assertThat(ids(reserve(2, "other"))).containsExactly("two");
	}

	@Test
	void pausedQueueKeepsItsDueJobs() {
		enqueue(delayed("job"));
		this.fixture.store.pause("default");
		this.other.store.pause("default");
		advance(DELAY);
		assertThat(ids(reserve(1, "default"))).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isOne();
	}

	@Test
	void runsThatEndGiveTheirKeysToDueJobs() {
		enqueue(QueueFixture.job("first", LockStrategy.WHILE_EXECUTING, "key"),
				QueueFixture.job("due", LockStrategy.WHILE_EXECUTING, "key")
					.copy()
					.start(NewJob.Start.in(Duration.ofSeconds(5)))
					.build());
		ReservedJob first = reserve(1, "default").jobs().get(0);
		advance(Duration.ofSeconds(5));
		Reservation next = this.fast.queue.settle(List.of(RunEnd.succeeded(first)), QueueFixture.request(1, "default"))
			.next();
		assertThat(ids(Objects.requireNonNull(next))).containsExactly("due");
	}

	/**
	 * Checks entries that are left to the general script: a job whose record is gone, a
	 * job with a later field, a damaged record, damaged counters, a job of a removed
	 * queue and a key with parked jobs.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "gone", "later field", "damaged", "counters", "removed", "parked" })
	void otherDueEntriesAreLeftToTheGeneralScript(String what) {
		this.fixture.queue.enqueue(delayed("job"));
		switch (what) {
			case "gone" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "job");
			case "later field" -> this.fixture.change("job", (record) -> record.withMoreHead((byte) 7));
			case "damaged" -> this.fixture.record("job", "damaged");
			case "counters" ->
				this.fixture.count("default", (counters) -> counters.with("scheduled", -20_000_000_000_000L));
			case "removed" ->
				this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
			default -> park(this.fixture);
		}
		this.fixture.advance(DELAY);
		Map<String, String> before = stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.fast.reserve(1, "default"));
		assertThat(stored(this.fixture)).isEqualTo(before);
		this.fixture.reserve(1, "default");
		this.fixture.store.repair();
	}

	private static void park(QueueFixture fixture) {
		fixture.takeForeign(QueueFixture.key("key"), DELAY);
		fixture.queue.enqueue(QueueFixture.job("parked", LockStrategy.WHILE_EXECUTING, "key"));
		fixture.reserve(1, "default");
	}

	/**
	 * A repeated request returns its jobs and changes nothing.
	 */
	@Test
	void repeatedRequestIsLeftToTheGeneralScript() {
		ReservationRequest request = QueueFixture.request(1, "default");
		this.fixture.queue.enqueue(List.of(delayed("due"), QueueFixture.job("job", LockStrategy.NONE)));
		assertThat(ids(this.fast.queue.reserve(request))).containsExactly("job");
		this.fixture.advance(DELAY);
		Map<String, String> before = stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.fast.queue.reserve(request));
		assertThat(ids(this.fixture.queue.reserve(request))).containsExactly("job");
		assertThat(stored(this.fixture)).isEqualTo(before);
	}

	/**
	 * A backlog of due jobs must not delay the jobs that are parked on a freed key.
	 */
	@Test
	void keyBehindABacklogIsLeftToTheGeneralScript() {
		this.fixture.queue.enqueue(Stream.iterate(0, (i) -> i < 25, (i) -> i + 1)
			.map((i) -> QueueFixture.job("due" + i, LockStrategy.NONE)
				.copy()
				.start(NewJob.Start.in(Duration.ofMillis(10)))
				.build())
			.toList());
		park(this.fixture);
		this.fixture.advance(DELAY);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.fast.reserve(1, "default"));
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isEqualTo(25);
	}

	@Test
	void fullRedisRefusesADelayedJobAndHandsOutOneThatIsDue() {
		String namespace = RedisServer.newNamespace();
		try (RedisServer server = RedisServer.start();
				QueueFixture all = QueueFixture.create(server, namespace);
				QueueFixture fastOnly = QueueFixture.createSilent(server, namespace,
						FastPathScripts.of(QueueScripts.load()))) {
			all.queue.enqueue(List.of(QueueFixture.job("before", LockStrategy.NONE)));
			all.queue.settle(List.of(RunEnd.succeeded(all.reserve(1, "default").jobs().get(0))), null);
			fastOnly.queue.enqueue(delayed("due").copy().start(NewJob.Start.in(Duration.ofMillis(50))).build());
			server.execute("CONFIG", "SET", "maxmemory", "1");
			assertThatExceptionOfType(QueueUnavailableException.class)
				.isThrownBy(() -> fastOnly.queue.enqueue(delayed("refused")))
				.withMessageStartingWith("Redis is full (OOM");
			assertThat(all.store.find("refused")).isEmpty();
			List<String> taken = Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.until(() -> fastOnly.reserveIds(1, "default"), (ids) -> !ids.isEmpty());
			assertThat(taken).containsExactly("due");
			assertThat(all.store.verify()).isEmpty();
		}
	}

	@Test
	void otherWorkersAreNotifiedIfDueJobsRemain() throws InterruptedException {
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fixture.queue.enqueue(List.of(delayed("one"), delayed("two"), delayed("three"),
					delayed("elsewhere", "other", LockStrategy.NONE)));
			messages.untilNow();
			this.fixture.advance(DELAY);
			this.fast.reserve(2, "default");
			assertThat(messages.untilNow()).containsExactlyInAnyOrder("default", "other");
		}
	}

	/**
	 * The worker that serves the due job has no handler for it, so another one has to
	 * learn of it.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void otherWorkersAreNotifiedIfDueJobsAreLeftOut(boolean fastPath) throws InterruptedException {
		QueueFixture queue = fastPath ? this.fixture : this.general;
		try (WorkMessages messages = new WorkMessages(queue)) {
			queue.queue.enqueue(List.of(delayed("one")));
			messages.untilNow();
			queue.advance(DELAY);
			assertThat(queue.queue.reserve(QueueFixture.leavingOut("job", 2, "default")).jobs()).isEmpty();
			assertThat(messages.untilNow()).contains("default");
		}
	}

	@Test
	void noWorkerIsNotifiedOfDueJobsThatAreHandedOut() throws InterruptedException {
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fixture.queue.enqueue(List.of(delayed("one"), delayed("two")));
			messages.untilNow();
			this.fixture.advance(DELAY);
			this.fast.reserve(2, "default");
			assertThat(messages.untilNow()).isEmpty();
		}
	}

}
