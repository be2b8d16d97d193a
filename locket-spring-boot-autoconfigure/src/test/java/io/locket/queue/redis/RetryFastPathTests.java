package io.locket.queue.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast paths of jobs that have failed: when their retry is due, when they
 * are handed out, and when they succeed. They store the same as the general scripts.
 */
class RetryFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private static final String ERROR = "it broke";

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture fast = this.pair.fast;

	@AfterEach
	void close() {
		this.pair.close();
	}

	private static NewJob job(String id) {
		return QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, id);
	}

	/**
	 * Enqueues a job, runs it and lets it fail, by the general scripts.
	 */
	private void fail(NewJob job, String error) {
		this.pair.enqueue(job);
		failAgain(job, error);
	}

	private void failAgain(NewJob job, String error) {
		ReservationRequest request = QueueFixture.request(1, job.queue());
		this.pair.both((each) -> {
			ReservedJob run = each.queue.reserve(request).jobs().get(0);
			assertThat(run.record().id()).isEqualTo(job.id());
			each.queue.settle(List.of(RunEnd.retry(run, DELAY, error)), null);
		});
	}

	private static List<String> ids(Reservation reservation) {
		return reservation.jobs().stream().map((run) -> run.record().id()).toList();
	}

	private ReservedJob take() {
		return this.pair.reserve(1, "default").jobs().get(0);
	}

	private JobRecord find(String id) {
		return this.fixture.store.find(id).orElseThrow();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = { "DEFAULT", "UNTIL_EXPIRED" })
	void failedJobRunsAgain(LockStrategy lock) {
		fail(QueueFixture.job("job", lock, "job"), ERROR);
		assertThat(ids(this.pair.reserve(1, "default"))).isEmpty();
		this.pair.advance(DELAY);
		ReservedJob run = take();
		assertThat(run.record().attempt()).isOne();
		assertThat(run.record().lastError()).isEqualTo(ERROR);
		assertThat(this.fixture.store.counts("default").in(JobState.RETRY)).isZero();
		ReservationRequest next = QueueFixture.request(1, "default");
		for (QueueFixture each : List.of(this.fast, this.pair.general)) {
			assertThat(each.queue.settle(List.of(RunEnd.succeeded(run)), next).ends())
				.containsExactly(new EndResult("job", true, JobState.SUCCEEDED));
		}
		assertThat(find("job")).isEqualTo(this.pair.other.store.find("job").orElseThrow());
		assertThat(find("job").lastError()).isNull();
		assertThat(this.fast.events).isEqualTo(this.pair.general.events);
	}

	/**
	 * The general script changes the order of the JSON in the record, so not all bytes
	 * are the same.
	 */
	@ParameterizedTest
	@ValueSource(strings = { ERROR, ",\"rn\":1", "{\"rn\":1,\\" })
	void failedJobWithAClaimRunsAgain(String error) {
		NewJob job = QueueFixture.job("job", LockStrategy.UNTIL_EXPIRED, "job");
		fail(job, error);
		for (int i = 1; i < 3; i++) {
			this.pair.advance(DELAY);
			ReservedJob run = this.fast.reserve(1, "default").jobs().get(0);
			assertThat(run.record().lastError()).isEqualTo(error);
			assertThat(run.record().attempt()).isEqualTo(i);
			this.fast.queue.settle(List.of(RunEnd.retry(run, DELAY, error)), null);
			failAgainByGeneralScripts(error);
			assertThat(find("job")).isEqualTo(this.pair.other.store.find("job").orElseThrow());
		}
		this.pair.advance(DELAY);
		this.fast.queue.settle(List.of(RunEnd.succeeded(this.fast.reserve(1, "default").jobs().get(0))), null);
		assertThat(find("job").state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(find("job").lastError()).isNull();
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("second", LockStrategy.UNTIL_EXPIRED, "job")))
			.isEqualTo(new EnqueueResult.Duplicate("job", JobState.SUCCEEDED));
	}

	private void failAgainByGeneralScripts(String error) {
		ReservedJob run = this.pair.general.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
		this.pair.general.queue.settle(List.of(RunEnd.retry(run, DELAY, error)), null);
	}

	/**
	 * The general scripts read the record of a job that a fast path has ended, and repeat
	 * the reply.
	 */
	@Test
	void repeatedEndOfAFailedJobIsKnown() {
		fail(job("job"), ERROR);
		this.pair.advance(DELAY);
		List<RunEnd> ends = List.of(RunEnd.succeeded(take()));
		Settlement first = this.fast.queue.settle(ends, null);
		assertThat(this.fixture.queue.settle(ends, null)).isEqualTo(first);
		assertThat(this.fixture.store.attempts("job")).hasSize(1);
		this.fixture.advance(Duration.ofHours(2));
		this.fixture.reserve(1, "default");
		assertThat(this.fixture.store.find("job")).isEmpty();
		assertThat(this.fixture.store.attempts("job")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void jobThatFailedOftenRunsAgain(int failures) {
		NewJob job = job("job");
		fail(job, ERROR + 0);
		for (int i = 1; i < failures; i++) {
			this.pair.advance(DELAY);
			failAgain(job, ERROR + i);
		}
		this.pair.advance(DELAY);
		ReservedJob run = take();
		assertThat(run.record().attempt()).isEqualTo(failures);
		assertThat(run.record().lastError()).isEqualTo(ERROR + (failures - 1));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a \"quoted\" path C:\\temp\\new", "\\", "\\\\", "\"", "\\\"", "a/b\b\f\n\r\t",
			"\u0001\u001f\u007f", "\u00fc\u20ac \uD83D\uDE00", "\\u0041\"", "{\"er\":\"x\",\"wr\":\"failed\"}",
			"\",\"wr\":\"failed\"}" })
	void errorMayHaveAnyText(String error) {
		fail(job("job"), error);
		this.pair.advance(DELAY);
		assertThat(take().record().lastError()).isEqualTo(error);
	}

	@Test
	void retryThatBecameReadyEarlierIsHandedOut() {
		fail(job("job"), ERROR);
		this.pair.advance(DELAY);
		assertThat(ids(this.pair.reserve(1, "other"))).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.READY)).isOne();
		assertThat(take().record().id()).isEqualTo("job");
	}

	/**
	 * A job that was returned by a shutdown keeps its place, and has no error.
	 */
	@Test
	void returnedJobIsHandedOutInItsPlace() {
		this.pair.enqueue(job("first"), job("second"));
		ReservationRequest request = QueueFixture.request(1, "default");
		this.pair.both(
				(each) -> each.queue.settle(List.of(RunEnd.returned(each.queue.reserve(request).jobs().get(0))), null));
		assertThat(ids(this.pair.reserve(2, "default"))).containsExactly("first", "second");
	}

	/**
	 * The segments of ready jobs are small here, so the jobs belong to several.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 2, 9, 20 })
	void retriesAndDelayedJobsAreHandedOutInTheOrderOfTheirTimes(int count) {
		for (int i = 0; i < count; i++) {
			NewJob job = job("job" + (100 + i));
			if (i % 2 == 0) {
				fail(job, ERROR);
			}
			else {
				this.pair.enqueue(job.copy().start(NewJob.Start.in(DELAY)).build());
			}
			this.pair.advance(Duration.ofMillis(1));
		}
		this.pair.advance(DELAY);
		this.pair.enqueue(job("new"));
		List<String> due = IntStream.range(0, count).mapToObj((i) -> "job" + (100 + i)).toList();
		assertThat(ids(this.pair.reserve(count + 1, "default"))).startsWith("new").endsWith(due.toArray(String[]::new));
		assertThat(this.fixture.store.counts("default").in(JobState.RUNNING)).isEqualTo(count + 1);
	}

	@Test
	void retriesOfSeveralQueuesBecomeReady() {
		fail(job("one"), ERROR);
		fail(QueueFixture.job("two", "other", LockStrategy.NONE), ERROR);
		this.pair.advance(DELAY);
		assertThat(ids(this.pair.reserve(2, "default"))).containsExactly("one");
		assertThat(ids(this.pair.reserve(2, "other"))).containsExactly("two");
	}

	/**
	 * A key of another job is contended, so {@code handover.lua} serves the call.
	 */
	@Test
	void failedJobIsHandedOutBesideAContendedKey() {
		fail(job("failed"), ERROR);
		this.pair.advance(DELAY);
		this.pair.enqueue(QueueFixture.job("holder", LockStrategy.WHILE_EXECUTING, "key"));
		assertThat(ids(this.pair.reserve(1, "default"))).containsExactly("holder");
		this.pair.enqueue(QueueFixture.job("parked", LockStrategy.WHILE_EXECUTING, "key"));
		ReservedJob run = this.fast.reserve(2, "default").jobs().get(0);
		assertThat(run.record().attempt()).isOne();
		assertThat(run.record().lastError()).isEqualTo(ERROR);
		assertThat(find("parked").state()).isEqualTo(JobState.PARKED);
		this.fast.queue.settle(List.of(RunEnd.succeeded(run)), QueueFixture.request(1, "default"));
		assertThat(find("failed").state()).isEqualTo(JobState.SUCCEEDED);
	}

	static Stream<Consumer<RecordBytes>> keptFields() {
		return Stream.of((record) -> record.withJson("m", "5"), (record) -> record.withJson("y", "5"),
				(record) -> record.withJson("wr", "\"deferred\""), (record) -> record.withJson("wr", null),
				(record) -> record.withJson("rp", "\"0a1b\""), (record) -> record.withJson("sn", "\"one two\""),
				(record) -> record.withJson("ib", "99999999999999"), (record) -> record.withJson("er", "\"\""));
	}

	/**
	 * Jobs that were moved, deferred, replaced or updated keep what their records have.
	 */
	@ParameterizedTest
	@MethodSource("keptFields")
	void fieldsOfFewJobsAreKept(Consumer<RecordBytes> change) {
		fail(job("job"), ERROR);
		this.pair.both((each) -> each.change("job", change));
		Map<String, String> fields = RecordBytes.of(this.fixture.record("job")).json();
		this.pair.advance(DELAY);
		ReservedJob run = this.fast.reserve(1, "default").jobs().get(0);
		assertThat(run.record()).isEqualTo(this.pair.general.reserve(1, "default").jobs().get(0).record());
		assertThat(RecordBytes.of(this.fixture.record("job")).json())
			.isEqualTo(RecordBytes.of(this.pair.other.record("job")).json())
			.isEqualTo(fields);
		this.fast.queue.settle(List.of(RunEnd.succeeded(run)), null);
		assertThat(find("job").state()).isEqualTo(JobState.SUCCEEDED);
	}

	static Stream<Consumer<RecordBytes>> otherHeads() {
		return Stream.of((record) -> record.with("cx", 1), (record) -> record.with("b", 1),
				(record) -> record.with("g", 2), (record) -> record.withJson("pg", "\"5 1 2 x\""),
				(record) -> record.withJson("as", "1"), (record) -> record.withJson("later", "1"),
				(record) -> record.withJson("y", "\"5\""), (record) -> record.withJson("wr", "5"),
				(record) -> record.withJson("y", ""), (record) -> record.withJson("y", "5,"),
				(record) -> record.withJson("y", "\"5"), (record) -> record.withJson("y", "0"),
				(record) -> record.withJson("y", "0753000000000"), (record) -> record.withJson("wr", "\""),
				(record) -> record.withJson("wr", "\u0001"), (record) -> record.withJson("y", "[5]"),
				(record) -> record.withJson("y", "123456789012345"), (record) -> record.with("a", 2147483648L),
				(record) -> record.withMoreHead((byte) 7), (record) -> record.withJson("er", "\"it \\quit\""),
				(record) -> record.withJson("er", "\"it \"broke\""), (record) -> record.withJson("er", "\"it\nbroke\""),
				(record) -> record.withJson("er", "\"\\u004\""), (record) -> record.with("n", 0).with("s", "running"));
	}

	static Stream<Consumer<RecordBytes>> otherRetries() {
		return Stream.concat(otherHeads(), Stream.of((record) -> record.with("g", 1)));
	}

	/**
	 * Checks jobs that were cancelled or reclaimed, have progress, were set aside, have a
	 * later field, or are damaged.
	 */
	@ParameterizedTest
	@MethodSource("otherRetries")
	void otherRetriesAreLeftToTheGeneralScript(Consumer<RecordBytes> change) {
		fail(job("job"), ERROR);
		byte[] record = this.fixture.record("job");
		this.fixture.change("job", change);
		this.fixture.advance(DELAY);
		assertLeftToTheGeneralScript();
		this.fixture.record("job", record);
	}

	@ParameterizedTest
	@MethodSource("otherHeads")
	void otherReadyJobsAreLeftToTheGeneralScript(Consumer<RecordBytes> change) {
		fail(job("job"), ERROR);
		this.fixture.advance(DELAY);
		this.fixture.reserve(1, "other");
		byte[] record = this.fixture.record("job");
		this.fixture.change("job", change);
		assertLeftToTheGeneralScript();
		this.fixture.record("job", record);
	}

	@Test
	void retryWithACutHeadIsLeftToTheGeneralScript() {
		fail(job("job"), ERROR);
		this.fixture.advance(DELAY);
		byte[] record = this.fixture.record("job");
		int headSize = ByteBuffer.wrap(record).getInt(13);
		assertCutRecordsAreLeftToTheGeneralScript(record, 17 + headSize);
	}

	@Test
	void readyJobWithACutRecordIsLeftToTheGeneralScript() {
		fail(job("job"), ERROR);
		this.fixture.advance(DELAY);
		this.fixture.reserve(1, "other");
		byte[] record = this.fixture.record("job");
		assertCutRecordsAreLeftToTheGeneralScript(record, record.length - find("job").arguments().length());
	}

	private void assertCutRecordsAreLeftToTheGeneralScript(byte[] record, int end) {
		for (int size = 0; size < end; size++) {
			this.fixture.record("job", Arrays.copyOf(record, size));
			assertLeftToTheGeneralScript();
		}
		this.fixture.record("job", record);
	}

	private void assertLeftToTheGeneralScript() {
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> reserveByNewProcess(QueueFixture.request(1, "default")));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
	}

	/**
	 * Reserves jobs by a queue whose fast paths are tried with the first call.
	 */
	private void reserveByNewProcess(ReservationRequest request) {
		try (QueueFixture queue = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			queue.queue.reserve(request);
		}
	}

	/**
	 * A failed job of a turn does not make the ends of the others expensive: the fast
	 * path leaves the key lease in a record, as {@code layout.lua} describes.
	 */
	@Test
	void otherRunsOfATurnAreEndedByTheFastPath() {
		this.fixture.queue.enqueue(List.of(job("one"), job("failing"), job("two"), job("next")));
		List<ReservedJob> jobs = this.fixture.reserve(3, "default").jobs();
		List<RunEnd> ends = List.of(RunEnd.succeeded(jobs.get(0)), RunEnd.retry(jobs.get(1), DELAY, ERROR),
				RunEnd.succeeded(jobs.get(2)));
		Settlement settlement = this.fixture.queue.settle(ends, QueueFixture.request(3, "default"));
		assertThat(settlement.ends()).containsExactly(new EndResult("one", true, JobState.SUCCEEDED),
				new EndResult("failing", true, JobState.RETRY), new EndResult("two", true, JobState.SUCCEEDED));
		assertThat(ids(Objects.requireNonNull(settlement.next()))).containsExactly("next");
		assertThat(Stream.of("one", "two")).allSatisfy((id) -> assertThat(endedByFastPath(id)).isTrue());
	}

	private boolean endedByFastPath(String id) {
		return RecordBytes.of(this.fixture.record(id)).number("kl") == 1;
	}

	/**
	 * The second of both calls fails. The whole turn is repeated.
	 */
	@Test
	void turnThatFailedHalfWayIsRepeated() {
		this.fixture.queue.enqueue(List.of(job("one"), job("failing"), job("next")));
		List<ReservedJob> jobs = this.fixture.reserve(2, "default").jobs();
		List<RunEnd> ends = List.of(RunEnd.succeeded(jobs.get(0)), RunEnd.retry(jobs.get(1), DELAY, ERROR));
		ReservationRequest next = QueueFixture.request(2, "default");
		this.fixture.queue.settle(ends.subList(1, 2), null);
		Settlement repeated = this.fixture.queue.settle(ends, next);
		assertThat(repeated.ends()).containsExactly(new EndResult("one", true, JobState.SUCCEEDED),
				new EndResult("failing", true, JobState.RETRY));
		assertThat(ids(Objects.requireNonNull(repeated.next()))).containsExactly("next");
		assertThat(this.fixture.queue.settle(ends, next).ends()).isEqualTo(repeated.ends());
		assertThat(this.fixture.store.attempts("failing")).hasSize(1);
	}

}
