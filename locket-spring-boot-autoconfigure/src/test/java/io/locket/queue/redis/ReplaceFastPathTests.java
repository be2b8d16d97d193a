package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.testing.RedisServer;
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
 * Tests for the fast path that lets a job replace a waiting one. It replies and stores
 * the same as the general script.
 */
class ReplaceFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	/**
	 * The time at which the clock of a pair begins.
	 */
	private static final long NOW = 1_000_000_000_000L;

	private static final LockStrategy TICKET = LockStrategy.UNTIL_EXECUTING;

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	@BeforeEach
	void createQueue() {
		this.pair.enqueue(QueueFixture.job("before", "default", LockStrategy.NONE));
		RunEnd end = RunEnd.succeeded(take(1).get(0));
		this.pair.both((each) -> each.queue.settle(List.of(end), null));
	}

	@AfterEach
	void close() {
		this.pair.close();
	}

	private List<ReservedJob> take(int slots) {
		ReservationRequest request = QueueFixture.request(slots, "default");
		this.pair.other.queue.reserve(request);
		return this.fixture.queue.reserve(request).jobs();
	}

	private static NewJob job(String id, LockStrategy lock, String arguments) {
		return QueueFixture.job(id, lock, "key")
			.copy()
			.arguments("[\"key\",\"" + arguments + "\"]")
			.onDuplicate(DuplicateStrategy.REPLACE)
			.build();
	}

	private static NewJob job(String id, String arguments) {
		return job(id, TICKET, arguments);
	}

	private static NewJob in(Duration delay, NewJob job) {
		return job.copy().start(NewJob.Start.in(delay)).build();
	}

	/**
	 * Enqueues a job by the fast path and by the general script, and compares the
	 * results, the events and all that is stored.
	 */
	private EnqueueResult enqueue(NewJob job) {
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			this.pair.general.events.clear();
			EnqueueResult result = fast.queue.enqueue(job);
			assertThat(result).isEqualTo(this.pair.general.queue.enqueue(job));
			assertThat(fast.events).hasSize(1).isEqualTo(this.pair.general.events);
			this.pair.assertStoreIsSame();
			return result;
		}
	}

	private JobRecord find(String id) {
		return this.fixture.store.find(id).orElseThrow();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING" })
	void readyJobIsReplaced(LockStrategy lock) {
		assertThat(enqueue(job("first", lock, "a"))).isEqualTo(new EnqueueResult.Accepted("first"));
		assertThat(enqueue(job("second", lock, "b"))).isEqualTo(new EnqueueResult.Replaced("first"));
		assertThat(enqueue(job("third", lock, "c"))).isEqualTo(new EnqueueResult.Replaced("first"));
		assertThat(find("first").arguments()).isEqualTo("[\"key\",\"c\"]");
		assertThat(find("first").state()).isEqualTo(JobState.READY);
		assertThat(this.fixture.store.find("second")).isEmpty();
	}

	@Test
	void delayedJobIsReplacedAndItsDueTimeMoved() {
		assertThat(enqueue(in(DELAY, job("first", "a")))).isEqualTo(new EnqueueResult.Accepted("first"));
		for (int i = 0; i < 3; i++) {
			this.pair.advance(Duration.ofSeconds(20));
			assertThat(enqueue(in(DELAY, job("next" + i, "b" + i)))).isEqualTo(new EnqueueResult.Replaced("first"));
		}
		assertThat(find("first").startAt()).isEqualTo(Instant.ofEpochMilli(this.fixture.now()).plus(DELAY));
		this.pair.advance(DELAY.minusMillis(1));
		assertThat(take(1)).isEmpty();
		this.pair.advance(Duration.ofMillis(1));
		assertThat(take(1).get(0).record().arguments()).isEqualTo("[\"key\",\"b2\"]");
	}

	@Test
	void dueTimeMayBecomeEarlier() {
		enqueue(in(DELAY, job("first", "a")));
		assertThat(enqueue(job("second", "b"))).isEqualTo(new EnqueueResult.Replaced("first"));
		assertThat(take(1)).hasSize(1);
	}

	@Test
	void dueTimeIsBoundedByTheLongestDelay() {
		NewJob job = in(DELAY, job("first", "a")).copy().maxDelay(Duration.ofSeconds(90)).build();
		enqueue(job);
		Instant latest = Instant.ofEpochMilli(this.fixture.now()).plusSeconds(90);
		for (int i = 0; i < 5; i++) {
			this.pair.advance(Duration.ofSeconds(50));
			enqueue(in(DELAY, job("next" + i, "b")).copy().maxDelay(Duration.ofSeconds(90)).build());
		}
		assertThat(find("first").startAt()).isEqualTo(latest);
		assertThat(take(1)).hasSize(1);
	}

	/**
	 * The latest time that is stored is in the year 5138.
	 */
	@Test
	void farDueTimeIsBounded() {
		Duration far = Duration.ofDays(365 * 6000);
		enqueue(in(far, job("first", "a")));
		assertThat(find("first").startAt()).isEqualTo(Instant.ofEpochMilli(99_999_999_999_999L));
		enqueue(in(DELAY, job("second", "b")));
		enqueue(in(far, job("third", "c")));
		assertThat(find("first").startAt()).isEqualTo(Instant.ofEpochMilli(99_999_999_999_999L));
	}

	@Test
	void dueTimeMayBeAnInstant() {
		Instant at = Instant.ofEpochMilli(this.fixture.now() + 5000);
		enqueue(job("first", "a").copy().start(NewJob.Start.at(at)).build());
		enqueue(job("second", "b").copy().start(NewJob.Start.at(at.plusSeconds(5))).build());
		assertThat(find("first").startAt()).isEqualTo(at.plusSeconds(5));
		enqueue(job("third", "c").copy().start(NewJob.Start.at(Instant.EPOCH)).build());
		assertThat(take(1)).hasSize(1);
	}

	@Test
	void periodMovesWithTheDueTime() {
		NewJob first = in(DELAY, job("first", "a"));
		enqueue(first.copy().unique(TICKET, first.key(), Duration.ofMinutes(5)).build());
		this.pair.advance(Duration.ofSeconds(20));
		NewJob second = in(DELAY, job("second", "b"));
		enqueue(second.copy().unique(TICKET, second.key(), Duration.ofMinutes(5)).build());
		assertThat(RecordBytes.of(this.fixture.record("first")).number("u"))
			.isEqualTo(this.fixture.now() + DELAY.plusMinutes(5).toMillis());
	}

	/**
	 * The longest delay has passed, but no worker has made the job ready.
	 */
	@Test
	void periodOfAJobThatIsOverdueBeginsNow() {
		Duration delay = Duration.ofSeconds(100);
		NewJob first = in(delay, job("first", "a")).copy().maxDelay(Duration.ofSeconds(90)).build();
		enqueue(first.copy().unique(TICKET, first.key(), Duration.ofMinutes(5)).build());
		this.pair.advance(Duration.ofSeconds(95));
		NewJob second = in(delay, job("second", "b")).copy().maxDelay(Duration.ofSeconds(90)).build();
		enqueue(second.copy().unique(TICKET, second.key(), Duration.ofMinutes(5)).build());
		assertThat(RecordBytes.of(this.fixture.record("first")).number("u"))
			.isEqualTo(this.fixture.now() + Duration.ofMinutes(5).toMillis());
	}

	@Test
	void readableKeyAndTraceAreThoseOfTheLastJob() {
		enqueue(job("first", "a").copy().trace("00-first").build());
		enqueue(job("second", "b"));
		assertThat(find("first").trace()).isNull();
		enqueue(job("third", "c").copy().trace("00-third").build());
		assertThat(find("first").trace()).isEqualTo("00-third");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "\\\"quoted\\\"", "\u20ac", "a long text that is repeated, and repeated, and repeated" })
	void argumentsMayHaveAnyText(String text) {
		enqueue(job("first", text));
		enqueue(job("second", "b"));
		enqueue(job("third", text));
		assertThat(take(1).get(0).record().arguments()).isEqualTo("[\"key\",\"" + text + "\"]");
	}

	@Test
	void jobOfARunningJobIsADuplicate() {
		enqueue(job("first", LockStrategy.UNTIL_EXECUTED, "a"));
		take(1);
		assertThat(enqueue(job("second", LockStrategy.UNTIL_EXECUTED, "b")))
			.isEqualTo(new EnqueueResult.Duplicate("first", JobState.RUNNING));
	}

	/**
	 * The fast paths make the job ready, hand it out and end it.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void replacedJobRuns(boolean delayed) {
		Duration delay = delayed ? DELAY : Duration.ZERO;
		enqueue(in(delay, job("first", "a")));
		enqueue(in(delay, job("second", "b")));
		this.pair.advance(DELAY);
		ReservedJob run = this.pair.reserve(1, "default").jobs().get(0);
		assertThat(run.record().arguments()).isEqualTo("[\"key\",\"b\"]");
		for (QueueFixture each : List.of(this.pair.fast, this.pair.general)) {
			each.queue.settle(List.of(RunEnd.succeeded(run)), QueueFixture.request(1, "default"));
		}
		assertThat(find("first").state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(find("first")).isEqualTo(this.pair.other.store.find("first").orElseThrow());
	}

	/**
	 * The reply to the first call is lost, and the call repeated. The arguments that the
	 * replaced job came with are known, too.
	 */
	@Test
	void repeatedCallsHaveTheSameResults() {
		NewJob first = in(DELAY, job("first", "a"));
		NewJob second = in(DELAY, job("second", "b"));
		EnqueueResult accepted = enqueue(first);
		EnqueueResult replaced = enqueue(second);
		enqueue(in(DELAY, job("third", "c")));
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThat(this.fixture.queue.enqueue(first)).isEqualTo(accepted);
		assertThat(this.fixture.queue.enqueue(second)).isEqualTo(replaced);
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
	}

	static Stream<Consumer<RecordBytes>> otherHolders() {
		return Stream.of((record) -> record.with("g", 1).withJson("rp", "\"5\""),
				(record) -> record.withJson("ib", "5"), (record) -> record.withJson("er", "\"5\""),
				(record) -> record.withJson("rp", "\"5\"").withJson("m", "5"),
				(record) -> record.withMoreHead((byte) 7),
				(record) -> record.withJson("rp", "\"5\"").withMoreHead((byte) 7),
				(record) -> record.withMoreDefinition((byte) 7), (record) -> record.with("r", 7),
				(record) -> record.with("x", 7), (record) -> record.with("h", 7), (record) -> record.with("z", 7),
				(record) -> record.with("uf", 7), (record) -> record.with("c", "reject"),
				(record) -> record.with("j", "other"), (record) -> record.with("q", "other"),
				(record) -> record.with("k", QueueFixture.key("other").digest()), (record) -> record.with("u", 7),
				(record) -> record.with("u", NOW), (record) -> record.with("s", "parked"),
				(record) -> record.with("s", "succeeded").with("ea", 5), (record) -> record.version(2));
	}

	/**
	 * Checks holders that have other fields, or another definition.
	 */
	@ParameterizedTest
	@MethodSource("otherHolders")
	void otherHoldersAreLeftToTheGeneralScript(Consumer<RecordBytes> change) {
		enqueue(in(DELAY, job("first", "a")));
		byte[] record = this.fixture.record("first");
		this.fixture.change("first", change);
		assertIsLeftToTheGeneralScript(job("second", "b"));
		this.fixture.record("first", record);
		this.fixture.store.repair();
	}

	/**
	 * The size of the JSON stands behind a head of 23 bytes.
	 */
	@Test
	void holderWithADamagedSizeOfItsJsonIsLeftToTheGeneralScript() {
		enqueue(in(DELAY, job("first", "a")));
		enqueue(in(DELAY, job("second", "b")));
		byte[] record = this.fixture.record("first");
		byte[] damaged = record.clone();
		damaged[26]++;
		this.fixture.record("first", damaged);
		assertIsLeftToTheGeneralScript(job("third", "c"));
		this.fixture.record("first", record);
	}

	/**
	 * A damaged holder is set aside, so it must not take the job that would replace it.
	 */
	@Test
	void readyHolderWithoutAPlaceIsLeftToTheGeneralScript() {
		enqueue(job("first", "a"));
		byte[] record = this.fixture.record("first");
		this.fixture.change("first", (changed) -> changed.with("n", 0));
		assertIsLeftToTheGeneralScript(job("second", "b"));
		this.fixture.record("first", record);
	}

	@Test
	void cutRecordIsLeftToTheGeneralScript() {
		enqueue(in(DELAY, job("first", "a")));
		enqueue(in(DELAY, job("second", "b")));
		byte[] record = this.fixture.record("first");
		int end = record.length - find("first").arguments().length();
		for (int size = 0; size < end; size++) {
			this.fixture.record("first", Arrays.copyOf(record, size));
			assertIsLeftToTheGeneralScript(job("third", "c"));
		}
		this.fixture.record("first", record);
	}

	/**
	 * Checks known ids, a retry, a removed queue, a missing record, and strategies
	 * without a ticket.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "known", "replaced", "retry", "removed", "gone", "claim", "none" })
	void otherReplacementsAreLeftToTheGeneralScript(String what) {
		enqueue(job("first", "a"));
		NewJob second = switch (what) {
			case "known" -> job("first", "b");
			case "claim" -> job("second", LockStrategy.UNTIL_EXPIRED, "b");
			case "none" ->
				QueueFixture.job("second", LockStrategy.NONE).copy().onDuplicate(DuplicateStrategy.REPLACE).build();
			default -> job("second", "b");
		};
		byte[] record = this.fixture.record("first");
		switch (what) {
			case "replaced" -> enqueue(second);
			case "retry" -> this.fixture.queue.settle(
					List.of(RunEnd.retry(this.fixture.reserve(1, "default").jobs().get(0), DELAY, "it broke")), null);
			case "removed" -> {
				this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
				this.fixture.advance(Duration.ofMillis(1));
			}
			case "gone" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "first");
			default -> assertThat(what).isIn("known", "claim", "none");
		}
		assertIsLeftToTheGeneralScript(second);
		this.fixture.record("first", record);
		this.fixture.store.repair();
	}

	private void assertIsLeftToTheGeneralScript(NewJob job) {
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> {
			try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
				fast.queue.enqueue(job);
			}
		});
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
	}

	@Test
	void fullRedisReplacesNothing() {
		try (RedisServer server = RedisServer.start()) {
			String namespace = RedisServer.newNamespace();
			try (QueueFixture all = QueueFixture.create(server, namespace)) {
				all.queue.enqueue(List.of(in(DELAY, job("first", "a"))));
				Instant startAt = all.store.find("first").orElseThrow().startAt();
				server.execute("CONFIG", "SET", "maxmemory", "1");
				assertThatExceptionOfType(QueueUnavailableException.class)
					.isThrownBy(() -> all.queue.enqueue(in(DELAY.multipliedBy(2), job("second", "b"))));
				assertThat(all.store.find("first").orElseThrow().arguments()).isEqualTo("[\"key\",\"a\"]");
				assertThat(all.store.find("first").orElseThrow().startAt()).isEqualTo(startAt);
				assertThat(all.store.verify()).isEmpty();
			}
		}
	}

	@Test
	void workersAreNotifiedOfAJobThatIsDueFirst() throws InterruptedException {
		enqueue(in(DELAY, job("first", "a")));
		this.pair.enqueue(in(DELAY.dividedBy(2), QueueFixture.job("other", TICKET, "other")));
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fixture.queue.enqueue(in(DELAY.multipliedBy(2), job("second", "b")));
			assertThat(messages.untilNow()).isEmpty();
			this.fixture.queue.enqueue(job("third", "c"));
			assertThat(messages.untilNow()).containsExactly("default");
			this.fixture.store.pause("default");
			messages.untilNow();
			this.fixture.queue.enqueue(job("fourth", "d"));
			assertThat(messages.untilNow()).isEmpty();
		}
	}

}
