package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast path of due jobs. It stores the same as the general scripts.
 */
class DueJobsTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private final QueueFixture fixture = QueueFixture.manual();

	private final QueueFixture other = QueueFixture.manual();

	/**
	 * Queue whose fast paths have to serve each turn.
	 */
	private final QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()));

	private final QueueFixture general = this.other.with(GeneralScripts.of(QueueFixture.manualScripts()));

	@BeforeEach
	void useOneClock() {
		ReservationRequest first = QueueFixture.request(1, "default");
		this.fixture.queue.reserve(first);
		this.other.redis.opsForValue().set(this.other.name("test-now"), Long.toString(this.fixture.now()));
		this.other.queue.reserve(first);
	}

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(this.other.store.verify()).isEmpty();
		this.general.close();
		this.fast.close();
		this.other.close();
		this.fixture.close();
	}

	private void enqueue(NewJob... jobs) {
		this.fixture.queue.enqueue(List.of(jobs));
		this.other.queue.enqueue(List.of(jobs));
	}

	private void advance(Duration time) {
		this.fixture.advance(time);
		this.other.advance(time);
	}

	private static NewJob delayed(String id, String queue, LockStrategy lock) {
		return QueueFixture.job(id, queue, lock, id).copy().start(NewJob.Start.in(DELAY)).build();
	}

	private static NewJob delayed(String id) {
		return delayed(id, "default", LockStrategy.UNTIL_EXECUTED);
	}

	/**
	 * Reserves jobs by the fast path and by the general script, and compares the replies
	 * and all that is stored.
	 */
	private Reservation reserve(int slots, String... queues) {
		ReservationRequest request = QueueFixture.request(slots, queues);
		Reservation reservation = this.fast.queue.reserve(request);
		assertThat(reservation.jobs()).isEqualTo(this.general.queue.reserve(request).jobs());
		assertThat(stored(this.fixture)).isEqualTo(stored(this.other));
		return reservation;
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((job) -> job.record().id()).toList();
	}

	/**
	 * Returns all keys of a namespace, with their values as hexadecimal digits.
	 */
	private static Map<String, String> stored(QueueFixture fixture) {
		Map<String, String> stored = new TreeMap<>();
		for (String key : Objects.requireNonNull(fixture.redis.keys(fixture.name("*")))) {
			byte[] name = key.getBytes(StandardCharsets.UTF_8);
			stored.put(key.substring(fixture.name("").length()),
					fixture.redis.execute((RedisCallback<String>) (connection) -> {
						DataType type = Objects.requireNonNull(connection.keyCommands().type(name));
						return switch (type) {
							case STRING -> hex(fixture, connection.stringCommands().get(name));
							case HASH -> new TreeMap<>(connection.hashCommands()
								.hGetAll(name)
								.entrySet()
								.stream()
								.collect(Collectors.toMap((entry) -> hex(fixture, entry.getKey()),
										(entry) -> hex(fixture, entry.getValue()))))
								.toString();
							default -> connection.zSetCommands()
								.zRangeWithScores(name, 0, -1)
								.stream()
								.map((tuple) -> hex(fixture, tuple.getValue()) + '=' + tuple.getScore())
								.toList()
								.toString();
						};
					}));
		}
		// Counts the calls of the manual clock.
		stored.remove("test-calls");
		return stored;
	}

	private static String hex(QueueFixture fixture, byte[] value) {
		return HexFormat.of().formatHex(value).replace(HexFormat.of().formatHex(fixture.name("").getBytes()), "ns:");
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
	 * Checks entries that are left to the general script: a retry, a job whose queue was
	 * removed, a job with a later field, a damaged record, damaged counters and a key
	 * with parked jobs.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "retry", "removed", "later field", "damaged", "counters", "parked" })
	void otherDueEntriesAreLeftToTheGeneralScript(String what) {
		this.fixture.queue.enqueue(delayed("job"));
		switch (what) {
			case "retry" -> fail(this.fixture);
			case "removed" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "job");
			case "later field" -> this.fixture.change("job", (record) -> record.withMoreHead((byte) 7));
			case "damaged" -> this.fixture.record("job", "damaged");
			case "counters" ->
				this.fixture.count("default", (counters) -> counters.with("scheduled", -20_000_000_000_000L));
			default -> park(this.fixture);
		}
		this.fixture.advance(DELAY);
		Map<String, String> before = stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.fast.reserve(1, "default"));
		assertThat(stored(this.fixture)).isEqualTo(before);
		this.fixture.reserve(1, "default");
		this.fixture.store.repair();
	}

	private static void fail(QueueFixture fixture) {
		fixture.queue.enqueue(QueueFixture.job("failing", LockStrategy.NONE));
		ReservedJob job = fixture.reserve(1, "default").jobs().get(0);
		fixture.queue.settle(List.of(RunEnd.retry(job, DELAY, "it broke")), null);
	}

	private static void park(QueueFixture fixture) {
		fixture.takeForeign(QueueFixture.key("key"), DELAY);
		fixture.queue.enqueue(QueueFixture.job("parked", LockStrategy.WHILE_EXECUTING, "key"));
		fixture.reserve(1, "default");
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
