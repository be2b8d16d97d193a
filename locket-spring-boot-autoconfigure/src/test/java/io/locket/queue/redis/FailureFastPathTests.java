package io.locket.queue.redis;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
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
 * Tests for the fast path that ends failed runs. It stores the same as the general
 * script.
 */
class FailureFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private static final String ERROR = "it \"broke\" at a/b\n\u20ac";

	private static final String TRACE = "java.lang.IllegalStateException: it broke\n\tat Job.run(Job.java:1)";

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

	private static RunEnd failure(ReservedJob job, String error) {
		return new RunEnd(job.record().id(), job.token(), RunEnd.Kind.RETRY, DELAY, error, null, TRACE);
	}

	/**
	 * Hands out jobs by all scripts.
	 */
	private List<ReservedJob> start(NewJob... jobs) {
		this.pair.enqueue(jobs);
		return start(jobs.length);
	}

	private List<ReservedJob> start(int count) {
		return this.pair.start(count, "default", "other");
	}

	/**
	 * Ends failed runs by the fast path and by the general script, and compares the
	 * results, the events and all that is stored.
	 */
	private void fail(List<RunEnd> ends) {
		assertThat(end(ends)).containsOnly(JobState.RETRY);
	}

	private List<JobState> end(List<RunEnd> ends) {
		Settlement settlement = this.fast.queue.settle(ends, null);
		assertThat(settlement).isEqualTo(this.pair.general.queue.settle(ends, null));
		assertThat(this.fast.events).isEqualTo(this.pair.general.events).hasSizeGreaterThanOrEqualTo(ends.size());
		this.pair.assertStoreIsSame();
		return settlement.ends().stream().map(EndResult::state).toList();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void failedRunIsStoredAsByTheGeneralScript(LockStrategy lock) {
		ReservedJob run = start(QueueFixture.job("job", lock, "job")).get(0);
		this.pair.advance(Duration.ofSeconds(3));
		fail(List.of(failure(run, ERROR)));
		assertThat(this.fixture.store.find("job")).get()
			.extracting((record) -> record.lastError(), (record) -> record.attempt())
			.containsExactly(ERROR, 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b\b\f\n\r\t", "\"", "\\", "\u00fc\u20ac\uD83D\uDE00", "\u0001\u001f\u007f" })
	void errorIsStoredAsByTheGeneralScript(String error) {
		fail(List.of(failure(start(job("job")).get(0), error)));
		assertThat(this.fixture.store.find("job").orElseThrow().lastError()).isEqualTo(error);
	}

	@Test
	void runWithoutAStackTraceIsStoredAsByTheGeneralScript() {
		fail(List.of(RunEnd.retry(start(job("job").copy().trace("00-trace-01").build()).get(0), DELAY, ERROR)));
	}

	/**
	 * More attempts than are kept, and more ends than a record keeps. Some errors are
	 * those of the attempt before.
	 */
	@Test
	void manyFailedAttemptsAreStoredAsByTheGeneralScript() {
		this.pair.enqueue(job("job").copy().retries(30).build());
		for (int attempt = 0; attempt < 25; attempt++) {
			fail(List.of(failure(start(1).get(0), ERROR + attempt / 3)));
			this.pair.advance(DELAY);
		}
		assertThat(this.fixture.store.attempts("job")).isEqualTo(this.pair.other.store.attempts("job"));
	}

	@Test
	void ticketWhosePeriodHasPassedIsNotTakenBack() {
		NewJob job = QueueFixture.job("job", LockStrategy.UNTIL_EXECUTING, "job");
		ReservedJob run = start(job.copy().unique(job.lock(), job.key(), Duration.ofSeconds(5)).build()).get(0);
		this.pair.advance(Duration.ofSeconds(5));
		fail(List.of(failure(run, ERROR)));
		assertThat(this.fixture.redis.opsForHash().size(this.fixture.name("tickets"))).isZero();
	}

	/**
	 * The first job takes the ticket back, so the second one is superseded.
	 */
	@Test
	void runsWithTheSameTicketAreLeftToTheGeneralScript() {
		ReservedJob first = start(QueueFixture.job("first", LockStrategy.UNTIL_EXECUTING, "key")).get(0);
		ReservedJob second = start(QueueFixture.job("second", LockStrategy.UNTIL_EXECUTING, "key")).get(0);
		List<RunEnd> ends = List.of(failure(first, ERROR), failure(second, ERROR));
		this.pair.both((each) -> assertThat(each.queue.settle(ends, null).ends()).extracting(EndResult::state)
			.containsExactly(JobState.RETRY, JobState.SUPERSEDED));
		this.pair.assertStoreIsSame();
	}

	/**
	 * The job of a removed queue never waits again, unlike one that came later.
	 */
	@Test
	void runOfARemovedQueueBesideALaterOneIsLeftToTheGeneralScript() {
		ReservedJob removed = start(job("removed")).get(0);
		this.pair.both((each) -> each.store.remove("default"));
		this.pair.advance(Duration.ofMillis(1));
		ReservedJob later = start(job("later")).get(0);
		List<RunEnd> ends = List.of(failure(removed, ERROR), failure(later, ERROR));
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> this.fast.queue.settle(ends, null));
		this.pair.both((each) -> assertThat(each.queue.settle(ends, null).ends()).extracting(EndResult::state)
			.containsExactly(JobState.REMOVED, JobState.RETRY));
	}

	@Test
	void runsOfSeveralQueuesAreEndedByOneCall() {
		List<ReservedJob> runs = start(job("one"), QueueFixture.job("two", "other", LockStrategy.NONE), job("three"));
		this.pair.advance(Duration.ofMillis(5));
		fail(runs.stream().map((run) -> failure(run, ERROR)).toList());
	}

	/**
	 * The record of the second run has the end of the first one.
	 */
	@Test
	void runAfterAReturnIsStoredAsByTheGeneralScript() {
		ReservedJob first = start(job("job")).get(0);
		this.pair.both((each) -> each.queue.settle(List.of(RunEnd.returned(first)), null));
		fail(List.of(failure(start(1).get(0), ERROR)));
	}

	@Test
	void runThatIsNotKnownToTheProcessIsEnded() {
		ReservedJob run = start(job("job")).get(0);
		this.fast.queue.settle(List.of(failure(run, ERROR)), null);
		assertThat(this.fixture.store.counts("default").in(JobState.RETRY)).isOne();
		this.pair.other.queue.settle(List.of(failure(run, ERROR)), null);
	}

	@Test
	void delayIsBounded() {
		ReservedJob run = start(job("job")).get(0);
		fail(List.of(new RunEnd("job", run.token(), RunEnd.Kind.RETRY, Duration.ofDays(2_000_000), ERROR)));
	}

	/**
	 * Checks tickets that other jobs have taken, and a run that was cancelled, has ended
	 * or has lost its key.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "ticket", "both", "cancelled", "ended", "lost", "removed", "counters", "failures",
			"attempts", "progress" })
	void otherRunsAreLeftToTheGeneralScript(String what) {
		NewJob job = switch (what) {
			case "ticket" -> QueueFixture.job("job", LockStrategy.UNTIL_EXECUTING, "job");
			case "both" -> QueueFixture.job("job", LockStrategy.UNTIL_AND_WHILE_EXECUTING, "job");
			default -> job("job");
		};
		RunEnd end = failure(start(job).get(0), ERROR);
		String lock = this.fixture.lock(QueueFixture.key("job"));
		switch (what) {
			case "ticket", "both" -> this.fixture.queue.enqueue(QueueFixture.job("newer", job.lock(), "job"));
			case "cancelled" -> this.fixture.change("job", (record) -> record.with("cx", 1));
			case "ended" -> this.fixture.queue.settle(List.of(end), null);
			case "lost" -> this.fixture.redis.delete(lock);
			case "removed" -> this.fixture.store.remove("default");
			case "counters" ->
				this.fixture.count("default", (counters) -> counters.with("running", -20_000_000_000_000L));
			case "failures" -> this.fixture.redis.opsForHash().put(this.fixture.name("state"), "f:default", "x");
			case "attempts" -> this.fixture.field("attempts", "job", new byte[] { 2 });
			case "progress" -> this.fixture.change("job", (record) -> record.withJson("pg", "\"5 1 2 x\""));
			default -> assertThat(job.id()).isEqualTo("job");
		}
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(end), null));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.queue.settle(List.of(end), null);
		this.fixture.store.repair();
		this.pair.other.queue.settle(List.of(end), null);
	}

	/**
	 * A copy of the first call arrives while the job, which holds no key, runs again.
	 */
	@Test
	void repeatedCallDoesNotEndTheNextRun() {
		RunEnd first = failure(start(QueueFixture.job("job", LockStrategy.NONE, "job")).get(0), ERROR);
		fail(List.of(first));
		this.pair.advance(DELAY);
		RunEnd second = failure(start(1).get(0), ERROR);
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(first), null));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.pair.both((each) -> {
			each.queue.settle(List.of(first), null);
			assertThat(each.store.find("job").orElseThrow().state()).isEqualTo(JobState.RUNNING);
			each.queue.settle(List.of(second), null);
			assertThat(each.store.find("job").orElseThrow().attempt()).isEqualTo(2);
		});
		this.pair.assertStoreIsSame();
	}

	/**
	 * The size of the definition reaches into the arguments, which would be read as a
	 * minimum hold, or past the end.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 5, 7, 24, 1000 })
	void runWithADamagedSizeIsLeftToTheGeneralScript(int more) {
		RunEnd end = failure(start(job("job")).get(0), ERROR);
		byte[] record = this.fixture.record("job");
		int bodySize = RecordBytes.of(record).body().length();
		int at = IntStream.range(0, record.length - bodySize - 4)
			.filter((i) -> ByteBuffer.wrap(record).getInt(i) == record.length - bodySize - 4 - i)
			.findFirst()
			.orElseThrow();
		byte[] damaged = record.clone();
		ByteBuffer.wrap(damaged).putInt(at, record.length - bodySize - 4 - at + more);
		this.fixture.record("job", damaged);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(end), null));
		this.fixture.record("job", record);
		this.pair.both((each) -> each.queue.settle(List.of(end), null));
	}

	@Test
	void runIsNotEndedTwiceByOneCall() {
		RunEnd end = failure(start(job("job")).get(0), ERROR);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(end, end), null));
		this.pair.both((each) -> each.queue.settle(List.of(end, end), null));
		this.pair.assertStoreIsSame();
	}

	/**
	 * The reply to the first call is lost.
	 */
	@Test
	void repeatedCallHasTheSameResultAndNoSecondEvent() {
		RunEnd end = failure(start(job("job")).get(0), ERROR);
		fail(List.of(end));
		Settlement repeated = this.fixture.queue.settle(List.of(end), null);
		assertThat(repeated.ends()).containsExactly(new EndResult("job", true, JobState.RETRY));
		assertThat(this.fixture.store.attempts("job")).hasSize(1);
		this.pair.assertStoreIsSame();
	}

	/**
	 * A failed run is the only one of its turn, as with batches of one job.
	 */
	@Test
	void turnOfAFailedRunGetsTheNextJob() {
		RunEnd end = failure(start(job("job")).get(0), ERROR);
		this.pair.enqueue(job("next"));
		ReservationRequest next = QueueFixture.request(1, "default");
		Settlement settlement = this.fast.queue.settle(List.of(end), next);
		assertThat(settlement.ends()).isEqualTo(this.pair.general.queue.settle(List.of(end), next).ends());
		assertThat(settlement.next()).isNotNull();
		assertThat(settlement.next().jobs()).extracting((run) -> run.record().id()).containsExactly("next");
	}

	/**
	 * Workers are notified of a queue that was full, or whose limit the call does not
	 * know.
	 */
	@Test
	void workersAreNotifiedOfAQueueThatHasRoomAgain() throws InterruptedException {
		List<ReservedJob> runs = start(job("one"), job("two"), job("three"), job("four"));
		List<RunEnd> ends = new ArrayList<>(runs.stream().map((run) -> failure(run, ERROR)).toList());
		this.pair.enqueue(IntStream.range(0, 9).mapToObj((i) -> job("ready" + i)).toArray(NewJob[]::new));
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fast.queue.settle(ends.subList(0, 1), null);
			assertThat(messages.untilNow()).containsExactly("default");
			this.fast.queue.settle(ends.subList(1, 2), request(0));
			assertThat(messages.untilNow()).isEmpty();
			this.fast.queue.settle(ends.subList(2, 3), request(9));
			assertThat(messages.untilNow()).isEmpty();
			this.fixture.store.pause("default");
			messages.untilNow();
			this.fast.queue.settle(ends.subList(3, 4), null);
			assertThat(messages.untilNow()).isEmpty();
		}
	}

	@Test
	void workersAreNotifiedOfAQueueThatWasFull() throws InterruptedException {
		List<ReservedJob> runs = start(job("one"), job("two"));
		this.pair.enqueue(IntStream.range(0, 9).mapToObj((i) -> job("ready" + i)).toArray(NewJob[]::new));
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fast.queue.settle(List.of(failure(runs.get(0), ERROR)), request(2));
			assertThat(messages.untilNow()).containsExactly("default");
		}
	}

	private static ReservationRequest request(int limit) {
		ReservationRequest request = QueueFixture.request(1, "default");
		return new ReservationRequest(request.id(), request.poller(), request.instance(), request.thread(),
				List.of(new QueueLimit("xdefault", 1), new QueueLimit("default", limit)), 1);
	}

	@Test
	void failedRunIsStoredInAFullRedis() {
		try (RedisServer server = RedisServer.start()) {
			String namespace = RedisServer.newNamespace();
			try (QueueFixture all = QueueFixture.create(server, namespace);
					QueueFixture fastOnly = QueueFixture.createSilent(server, namespace,
							FastPathScripts.of(QueueScripts.load()))) {
				all.queue.enqueue(List.of(job("job")));
				ReservedJob run = all.reserve(1, "default").jobs().get(0);
				server.execute("CONFIG", "SET", "maxmemory", "1");
				fastOnly.queue.settle(List.of(failure(run, ERROR)), null);
				assertThat(all.store.counts("default").in(JobState.RETRY)).isOne();
				assertThat(all.store.verify()).isEmpty();
			}
		}
	}

	/**
	 * The hold of the first run has passed, and the second one has none.
	 */
	@Test
	void keyOfAFailedRunIsHeldForTheRestOfItsHold() {
		List<ReservedJob> runs = start(holding("one", 2), holding("two", 0), holding("three", 9));
		this.pair.advance(Duration.ofSeconds(2));
		fail(runs.stream().map((run) -> failure(run, ERROR)).toList());
		assertThat(Stream.of("one", "two", "three")
			.map((key) -> this.fixture.redis.opsForValue().get(this.fixture.lock(QueueFixture.key(key)))))
			.containsExactly(null, null, runs.get(2).token() + ":rest");
	}

	private static NewJob holding(String id, int seconds) {
		return job(id).copy().holdAtLeast(Duration.ofSeconds(seconds)).build();
	}

	/**
	 * One of the runs has no further attempt.
	 */
	@Test
	void runsOfDifferentKindsAreEndedTogether() {
		List<ReservedJob> runs = start(job("one"), job("two").copy().retries(0).build());
		assertThat(end(Stream.of(0, 1).map((i) -> failure(runs.get(i), ERROR)).toList()))
			.containsExactly(JobState.RETRY, JobState.DEAD);
	}

}
