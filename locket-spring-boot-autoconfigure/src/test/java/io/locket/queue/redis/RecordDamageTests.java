package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueCounts;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.JobQuery;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.UpdateAction;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for records that this version cannot read, or not wholly.
 */
class RecordDamageTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void unreadableRecordDelaysNoOtherJob() {
		enqueue("a", "b");
		write("a", "no record");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		assertThat(this.fixture.store.find("a")).isEmpty();
		assertThat(this.fixture.store.unreadable(10)).singleElement().satisfies((record) -> {
			assertThat(record.id()).isEqualTo("a");
			assertThat(record.version()).isNull();
			assertThat(record.queue()).isEqualTo("default");
			assertThat(record.state()).isEqualTo(JobState.READY);
			assertThat(record.text()).isEqualTo("no record");
		});
		assertThat(counts().unreadable()).isOne();
		assertThat(counts().in(JobState.READY)).isZero();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void unreadableRecordIsFoundBeforeAWorkerMeetsIt() {
		enqueue("a", "b");
		write("a", "no record");
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).contains("a");
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().unreadable()).isOne();
	}

	@Test
	void manyUnreadableRecordsDelayNoOtherJob() {
		for (int i = 0; i < 50; i++) {
			enqueue("bad" + i);
			this.fixture.record("bad" + i, (i % 2 == 0) ? bytes("no record") : new byte[] { 2, 'x' });
		}
		enqueue("good");
		List<String> taken = List.of();
		for (int i = 0; i < 6 && taken.isEmpty(); i++) {
			taken = this.fixture.reserveIds(1, "default");
		}
		assertThat(taken).containsExactly("good");
		assertThat(counts().unreadable()).isEqualTo(50);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * Damages jobs of all places, which a repair finds in their lists.
	 */
	@Test
	void repairSetsDamagedRecordsOfAllPlacesAside() {
		Duration hour = Duration.ofHours(1);
		this.fixture.takeForeign(QueueFixture.key(1), hour);
		this.fixture.queue.enqueue(List.of(QueueFixture.job("parked", LockStrategy.WHILE_EXECUTING, 1),
				QueueFixture.job("scheduled", LockStrategy.NONE).copy().start(NewJob.Start.in(hour)).build()));
		enqueue("running", "retry", "dead", "ended");
		List<ReservedJob> runs = this.fixture.reserve(4, "default").jobs();
		this.fixture.queue.settle(List.of(RunEnd.retry(runs.get(1), hour, "it broke"),
				RunEnd.dead(runs.get(2), "it broke"), RunEnd.succeeded(runs.get(3))), null);
		this.fixture.takeForeign(QueueFixture.key(2), hour);
		this.fixture.queue.enqueue(QueueFixture.job("promoted", LockStrategy.WHILE_EXECUTING, 2));
		this.fixture.reserve(1, "default");
		this.fixture.releaseForeign(QueueFixture.key(2));
		this.fixture.advance(Duration.ofSeconds(2));
		this.fixture.reserve(0);
		this.fixture.queue.enqueue(QueueFixture.job("ready", LockStrategy.UNTIL_EXECUTED, 3));
		List<String> ids = List.of("parked", "scheduled", "running", "retry", "dead", "ended", "promoted", "ready");
		ids.forEach((id) -> write(id, "no record"));
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().unreadable()).isEqualTo(6);
		assertThat(counts().deadLetters()).isZero();
		assertThat(this.fixture.redis.opsForHash().get(this.fixture.name("tickets"), QueueFixture.key(3).digest()))
			.isEqualTo("ready");
		assertThat(this.fixture.store.unreadable(10)).extracting(UnreadableRecord::id)
			.containsExactlyInAnyOrderElementsOf(ids);
		assertThat(this.fixture.store.unreadable(10)).extracting(UnreadableRecord::state)
			.containsExactlyInAnyOrder(JobState.PARKED, JobState.SCHEDULED, JobState.RUNNING, JobState.RETRY, null,
					null, JobState.READY, JobState.READY);
		ids.forEach((id) -> assertThat(this.fixture.store.discard(id)).isTrue());
		assertThat(counts().lost()).isEqualTo(6);
	}

	/**
	 * A segment has four jobs here. To search all of them for a job takes milliseconds
	 * with a million ready jobs.
	 */
	@Test
	void repairSearchesNoSegmentsForDamagedRecords() {
		int jobs = 400;
		this.fixture.queue
			.enqueue(IntStream.range(0, jobs).mapToObj((i) -> QueueFixture.job("j" + i, LockStrategy.NONE)).toList());
		IntStream.range(jobs - 100, jobs).forEach((i) -> write("j" + i, "no record"));
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			assertThat(this.fixture.store.repair()).hasSize(100).allMatch(Violation::repaired);
			assertThat(counter.innerCommands()).filteredOn("ZSCORE"::equals).hasSizeLessThan(10 * jobs);
		}
		assertThat(counts().unreadable()).isEqualTo(100);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void discardOfARecordThatIsSetAsideSearchesNoLists() {
		String[] queues = IntStream.range(0, 50).mapToObj((i) -> "q" + i).toArray(String[]::new);
		for (String queue : queues) {
			this.fixture.queue.enqueue(QueueFixture.job("of-" + queue, queue, LockStrategy.NONE));
		}
		write("of-q49", "no record");
		this.fixture.reserve(1, "q49");
		try (CommandCounter counter = CommandCounter.on(RedisServer.shared())) {
			assertThat(this.fixture.store.discard("of-q49")).isTrue();
			assertThat(counter.innerCommands()).hasSizeLessThan(20);
		}
		assertThat(this.fixture.store.counts("q49").lost()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	static Stream<Consumer<RecordBytes>> wrongFields() {
		long tooMany = 1L << 31;
		return Stream.of((record) -> record.withJson("er", "7"), (record) -> record.withJson("y", "\"x\""),
				(record) -> record.withJson("pg", "[]"), (record) -> record.withJson("as", "1e999"),
				(record) -> record.withJson("later", "{}"), (record) -> record.withJson("er", "\"x"),
				(record) -> record.with("a", tooMany), (record) -> record.with("b", tooMany),
				(record) -> record.with("r", tooMany), (record) -> record.with("x", 0),
				(record) -> record.with("f", 9_007_000_000_000_000L), (record) -> record.with("t", "two words"),
				(record) -> record.with("i", ""), (record) -> record.with("st", 0), (record) -> record.with("kl", 1),
				(record) -> record.with("q", ""), (record) -> record.with("s", "later"),
				(record) -> record.with("parts", 4));
	}

	@ParameterizedTest
	@MethodSource("wrongFields")
	void expiredRunWithAFieldOfAWrongTypeStopsNeitherItsQueueNorTheNamespace(Consumer<RecordBytes> damage) {
		enqueue("a", "b");
		ReservationRequest request = new ReservationRequest("r", "poller", "i", "t",
				List.of(new ReservationRequest.QueueLimit("default", 1)), 1);
		assertThat(this.fixture.queue.reserve(request).jobs()).hasSize(1);
		this.fixture.change("a", damage);
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(this.fixture.queue.reserve(new ReservationRequest("r2", "poller", "i", "t", request.queues(), 1))
			.jobs()).extracting((job) -> job.record().id()).containsExactly("b");
		assertThat(counts().unreadable()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void discardedRecordIsCountedAsLost() {
		enqueue("a", "b");
		write("a", "no record");
		assertThat(this.fixture.store.discard("b")).isFalse();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
		assertThat(this.fixture.store.discard("a")).isTrue();
		assertThat(this.fixture.store.discard("a")).isFalse();
		assertThat(this.fixture.redis.opsForHash().hasKey(this.fixture.name("jobs"), "a")).isFalse();
		assertThat(counts().unreadable()).isZero();
		assertThat(counts().lost()).isOne();
		assertThat(this.fixture.store.overview().queues().get(0).counts()).isEqualTo(counts());
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void damagedRecordThatIsSetAsideWithATicketOrAPlaceOfItsKeyIsNoViolation() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1));
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.WHILE_EXECUTING, 2));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a", "b");
		this.fixture.queue.enqueue(QueueFixture.job("c", LockStrategy.WHILE_EXECUTING, 2));
		this.fixture.queue.enqueue(QueueFixture.job("d", LockStrategy.UNTIL_EXECUTED, 3));
		write("d", "no record");
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
		write("c", "no record");
		assertThat(this.fixture.store.repair()).isNotEmpty();
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().unreadable()).isEqualTo(2);
	}

	@Test
	void restoredRecordGoesOn() {
		enqueue("a", "b");
		byte[] record = this.fixture.record("a");
		write("a", "no record");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		this.fixture.record("a", record);
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(counts().unreadable()).isZero();
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a");
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * The state in which the job was counted is unknown then, so the job is no longer
	 * counted as set aside.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "junk", "default later", "other ready" })
	void damagedCountOfARecordThatIsSetAsideIsFoundAndRemoved(String counted) {
		enqueue("a", "b");
		byte[] record = this.fixture.record("a");
		write("a", "no record");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		this.fixture.redis.opsForHash().put(this.fixture.name("state"), "u:a", counted);
		assertThat(this.fixture.store.verify()).extracting(Violation::subject, Violation::description)
			.contains(tuple("a", "is set aside, and counted as " + counted));
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().unreadable()).isZero();
		assertThat(counts().lost()).isOne();
		this.fixture.record("a", record);
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().lost()).isZero();
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a");
	}

	@Test
	void recordThatIsGoneIsCountedAsLost() {
		enqueue("a", "b", "c");
		this.fixture.reserve(1, "default");
		this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "a", "c");
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().lost()).isEqualTo(2);
		assertThat(counts().in(JobState.RUNNING)).isZero();
		ReservationRequest request = new ReservationRequest("r", "poller", "i", "t",
				List.of(new ReservationRequest.QueueLimit("default", 1)), 1);
		assertThat(this.fixture.queue.reserve(request).jobs()).hasSize(1);
	}

	static Stream<byte[]> damagedCounters() {
		byte[] counters = CounterBytes.none().with("seq", 3).with("ready", 3).bytes();
		byte[] withoutVersion = counters.clone();
		withoutVersion[0] = 0;
		byte[] cut = Arrays.copyOf(counters, counters.length - 1);
		return Stream.of(new byte[0], new byte[] { 1 }, bytes("no counters"), bytes("{}"), bytes("x".repeat(300)),
				new byte[300], cut, withoutVersion);
	}

	@ParameterizedTest
	@MethodSource("damagedCounters")
	void damagedCountersDelayNoJobAndAreRestored(byte[] counters) {
		enqueue("a", "b", "c");
		this.fixture.field("state", "q:default", counters);
		assertThat(counts().in(JobState.READY)).isZero();
		assertThat(this.fixture.store.overview().queues()).hasSize(1);
		enqueue("d");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a", "b");
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().in(JobState.READY)).isEqualTo(2);
		assertThat(counts().in(JobState.RUNNING)).isEqualTo(2);
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("c", "d");
	}

	@ParameterizedTest
	@CsvSource({ "paused,2", "seq,200000000000000", "seq,-20000000000000", "accepted,200000000000000",
			"ready,200000000000000", "running,200000000000000", "running,-20000000000000",
			"succeeded,200000000000000" })
	void reservationReplacesCountersOutOfRange(String counter, long number) {
		enqueue("a", "b");
		List<ReservedJob> jobs = this.fixture.queue.reserve(limited("first")).jobs();
		this.fixture.count("default", (counters) -> counters.with(counter, number));
		assertThat(this.fixture.queue.settle(List.of(RunEnd.succeeded(jobs.get(0))), limited("second")).next().jobs())
			.extracting((job) -> job.record().id())
			.containsExactly("b");
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).number(counter)).isBetween(-10L, 10L);
	}

	@ParameterizedTest
	@CsvSource({ "paused,2", "seq,200000000000000", "seq,-20000000000000", "accepted,200000000000000",
			"ready,200000000000000", "running,200000000000000", "removed_at,-20000000000000" })
	void enqueuingReplacesCountersOutOfRange(String counter, long number) {
		// The fast path skips the call after the first job of a queue.
		enqueue("a", "b");
		this.fixture.count("default", (counters) -> counters.with(counter, number));
		enqueue("c");
		assertThat(RecordBytes.of(this.fixture.record("c")).number("n")).isEqualTo(3);
		assertThat(CounterBytes.of(this.fixture.field("state", "q:default")).number(counter)).isBetween(-10L, 10L);
	}

	private static ReservationRequest limited(String id) {
		return new ReservationRequest(id, "poller", "i", "t", List.of(new ReservationRequest.QueueLimit("default", 5)),
				1);
	}

	@Test
	void jobInAQueueThatIsUnlistedByMistakeIsHandedOut() {
		enqueue("a");
		// So that its polls are recorded, and the fast paths are tried again.
		for (int i = 0; i < 5; i++) {
			assertThat(this.fixture.reserveIds(1, "none")).isEmpty();
		}
		byte[] counters = CounterBytes.none().with("seq", 1).with("accepted", 1).with("unlisted", 1).bytes();
		this.fixture.field("state", "q:default", counters);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		this.fixture.store.repair();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void damagedCountersOfAnIdleQueueAreFoundAndRestored() {
		enqueue("a", "b");
		this.fixture.redis.opsForHash().put(this.fixture.name("state"), "q:default", "no counters");
		assertThat(this.fixture.store.verify()).isNotEmpty();
		assertThat(this.fixture.store.repair()).isNotEmpty().allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(counts().in(JobState.READY)).isEqualTo(2);
	}

	@Test
	void recordsOfJobsThatHaveNotEndedAreNotForgottenWhateverListsThem() {
		enqueue("a", "b");
		for (String list : List.of("ended", "dead")) {
			for (String id : List.of("a", "b")) {
				this.fixture.redis.opsForZSet().add(this.fixture.name(list), id, 0);
			}
		}
		this.fixture.advance(Duration.ofDays(400));
		for (int i = 0; i < 3; i++) {
			this.fixture.reserve(0);
		}
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a", "b");
	}

	@Test
	void damagedMemoryOfAPollerIsNone() {
		enqueue("a");
		this.fixture.reserve(0);
		byte[] poller = this.fixture.field("state", "w:poller");
		poller[8] = (byte) 0xFF;
		this.fixture.field("state", "w:poller", poller);
		assertThat(this.fixture.store.workers()).isEmpty();
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		this.fixture.redis.opsForHash().put(this.fixture.name("state"), "w:poller", "junk");
		this.fixture.advance(Duration.ofHours(2));
		this.fixture.queue.reserve(QueueFixture.request("other", 0));
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "99999999999999999999999", "9007199254740993", "x" })
	void damagedFenceIsReplacedByTime(String fence) {
		this.fixture.advance(Duration.ofMillis(1));
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		this.fixture.redis.opsForValue().set(this.fixture.name("fence"), fence);
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(job.fence()).isBetween(1L, 9_007_000_000_000_000L);
	}

	@Test
	void malformedEntriesDelayNoOtherJob() {
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofSeconds(10));
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		String listed = this.fixture.name("parked-on:" + QueueFixture.key(1).digest());
		for (String stray : List.of("", " ", "!", "a", "default", "default x y", "default 1 ")) {
			this.fixture.redis.opsForZSet().add(listed, stray, 0);
			this.fixture.redis.opsForZSet().add(this.fixture.name("due"), "p:" + stray, 0);
			this.fixture.redis.opsForZSet().add(this.fixture.name("due"), stray, 0);
		}
		this.fixture.advance(Duration.ofSeconds(11));
		List<String> taken = List.of();
		for (int i = 0; i < 5 && taken.isEmpty(); i++) {
			taken = this.fixture.reserveIds(1, "default");
		}
		assertThat(taken).containsExactly("a");
		assertThat(this.fixture.store.repair()).allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void damagedJobKeepsItsIdAndNotItsTicket() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1);
		this.fixture.queue.enqueue(job);
		write("a", "no record");
		assertThat(this.fixture.queue.enqueue(job)).isEqualTo(new EnqueueResult.Duplicate("a", null));
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTED, 1)))
			.isEqualTo(new EnqueueResult.Accepted("b"));
	}

	@Test
	void unreadableRecordOfARunDelaysNoOtherJob() {
		enqueue("a", "b");
		this.fixture.reserve(2, "default");
		write("a", "{\"v\":1\n[]");
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
	}

	static Stream<Consumer<RecordBytes>> missingFields() {
		return Stream.of((record) -> record.with("x", 0), (record) -> record.with("n", 0),
				(record) -> record.with("l", "UX"), (record) -> record.with("l", "ZZ"),
				(record) -> record.with("q", "two words"), (record) -> record.with("g", 1),
				(record) -> record.with("s", "running"), (record) -> record.with("s", "dead"),
				(record) -> record.with("s", "retry"), (record) -> record.with("s", "parked"));
	}

	@ParameterizedTest
	@MethodSource("missingFields")
	void recordWithoutMandatoryFieldsDelaysNoOtherJob(Consumer<RecordBytes> damage) {
		enqueue("a", "b");
		this.fixture.change("a", damage);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
		assertThat(this.fixture.store.cancel("a")).isEqualTo(CancelResult.UNKNOWN);
		assertThat(this.fixture.store.unreadable(10)).extracting(UnreadableRecord::id).containsExactly("a");
	}

	@Test
	void unreadableRecordHoldsUpNoAdministration() {
		enqueue("a", "b", "c");
		write("b", "{\"s\":\"ready\",\"q\":\"default\"\n[]");
		assertThat(this.fixture.store.list(new JobQuery(JobState.READY, "default", null, null, 10, null)).jobs())
			.extracting(JobRecord::id)
			.containsExactly("a", "c");
		List<ExpectedJob> all = List.of(ExpectedJob.of("a"), ExpectedJob.of("b"), ExpectedJob.of("c"));
		assertThat(this.fixture.store.update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "step"), all))
			.containsExactly(UpdateResult.DONE, UpdateResult.UNKNOWN, UpdateResult.DONE);
		assertThat(this.fixture.store.requeue(List.of(new RequeuedJob("b", "b2"))))
			.containsExactly(new EnqueueResult.Duplicate("b", null));
		assertThat(this.fixture.store.remove("other")).isEqualTo(2);
		assertThat(this.fixture.store.remove("default")).isZero();
		assertThat(counts().in(JobState.READY)).isZero();
		assertThat(counts().unreadable()).isOne();
	}

	@Test
	void unreadableScheduledRecordDelaysNoOtherJob() {
		for (String id : new String[] { "a", "b" }) {
			NewJob job = QueueFixture.job(id, LockStrategy.NONE);
			this.fixture.queue.enqueue(job.copy().start(NewJob.Start.in(Duration.ofSeconds(1))).build());
		}
		write("a", "[]\n");
		this.fixture.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
	}

	@Test
	void unknownConflictStrategyParks() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		this.fixture.change("a", (record) -> record.with("c", "later"));
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofSeconds(10));
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isOne();
		this.fixture.advance(Duration.ofSeconds(11));
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(job.record().onConflict()).isEqualTo(ConflictStrategy.PARK);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void jobOfAnUnknownLockStrategyDoesNotRunUnguarded() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		this.fixture.change("a", (record) -> record.with("l", "ZZ"));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(counts().unreadable()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private void enqueue(String... ids) {
		for (String id : ids) {
			this.fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.NONE));
		}
	}

	private QueueCounts counts() {
		return this.fixture.store.counts("default");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private void write(String id, String record) {
		this.fixture.record(id, record);
	}

}
