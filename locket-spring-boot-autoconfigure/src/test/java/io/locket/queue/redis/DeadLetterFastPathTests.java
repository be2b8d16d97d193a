package io.locket.queue.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.event.JobEnded;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast path that ends failed runs whose jobs have no further attempt. It
 * stores the same as the general script.
 */
class DeadLetterFastPathTests {

	private static final int MOST_LETTERS = 3;

	private static final Duration LONGEST_KEPT = Duration.ofDays(2);

	private static final String ERROR = "it \"broke\", \"wr\":\"deferred\"";

	private final QueuePair pair = new QueuePair(
			new QueueSettings(Duration.ofSeconds(2), 3, Duration.ofHours(1), 1000, LONGEST_KEPT, MOST_LETTERS, 20));

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture fast = this.pair.fast;

	@AfterEach
	void close() {
		this.pair.close();
	}

	private static NewJob job(String id, LockStrategy lock) {
		return QueueFixture.job(id, lock, id).copy().retries(0).build();
	}

	private static NewJob job(String id) {
		return job(id, LockStrategy.WHILE_EXECUTING);
	}

	private static RunEnd failure(ReservedJob job) {
		return RunEnd.retry(job, Duration.ofMinutes(1), ERROR).withStackTrace("a trace");
	}

	private static List<RunEnd> ends(List<ReservedJob> runs) {
		return runs.stream().map(DeadLetterFastPathTests::failure).toList();
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
	 * Ends runs by the fast path and by the general script, and compares the results, the
	 * events and all that is stored.
	 */
	private void die(List<RunEnd> ends) {
		Settlement settlement = this.fast.queue.settle(ends, null);
		assertThat(settlement).isEqualTo(this.pair.general.queue.settle(ends, null));
		assertThat(settlement.ends()).extracting(EndResult::state).containsOnly(JobState.DEAD);
		assertThat(this.fast.events).isEqualTo(this.pair.general.events);
		this.pair.assertStoreIsSame();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void deadLetterIsStoredAsByTheGeneralScript(LockStrategy lock) {
		ReservedJob run = start(job("job", lock)).get(0);
		this.pair.advance(Duration.ofSeconds(3));
		die(List.of(failure(run)));
		assertThat(this.fixture.store.find("job")).get()
			.extracting((record) -> record.state(), (record) -> record.lastError(), (record) -> record.attempt())
			.containsExactly(JobState.DEAD, ERROR, 1);
		assertThat(this.fast.events).singleElement()
			.isEqualTo(new JobEnded("job", run.record().job(), "default", JobState.DEAD, Duration.ofSeconds(3), ERROR));
	}

	@Test
	void jobThatIsNotRepeatedIsADeadLetter() {
		ReservedJob run = start(job("job").copy().retries(5).build()).get(0);
		die(List.of(RunEnd.dead(run, ERROR)));
	}

	/**
	 * The record has the ends of earlier runs, their attempts, and the reason of the last
	 * wait.
	 */
	@Test
	void lastAttemptIsStoredAsByTheGeneralScript() {
		this.pair.enqueue(job("job").copy().retries(2).build());
		for (int attempt = 0; attempt < 2; attempt++) {
			RunEnd end = failure(start(1).get(0));
			this.pair.both((each) -> each.queue.settle(List.of(end), null));
			this.pair.advance(Duration.ofMinutes(1));
		}
		die(List.of(failure(start(1).get(0))));
		assertThat(this.fixture.store.attempts("job")).hasSize(3);
	}

	@Test
	void deferredJobIsADeadLetter() {
		RunEnd deferred = RunEnd.defer(start(job("job")).get(0), Duration.ofSeconds(5), "not here");
		this.pair.both((each) -> each.queue.settle(List.of(deferred), null));
		this.pair.advance(Duration.ofSeconds(5));
		die(List.of(failure(start(1).get(0))));
	}

	@Test
	void runsOfSeveralQueuesAreEndedByOneCall() {
		List<ReservedJob> runs = start(job("one"),
				QueueFixture.job("two", "other", LockStrategy.NONE).copy().retries(0).build(), job("three"));
		this.pair.advance(Duration.ofMillis(5));
		die(ends(runs));
	}

	/**
	 * The ticket is given back, so a new job is no duplicate.
	 */
	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTED", "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void ticketIsReleased(LockStrategy lock) {
		die(List.of(failure(start(job("job", lock)).get(0))));
		assertThat(this.fixture.redis.opsForHash().size(this.fixture.name("tickets"))).isZero();
		this.pair.both((each) -> assertThat(each.queue.enqueue(QueueFixture.job("newer", lock, "job")))
			.isEqualTo(new EnqueueResult.Accepted("newer")));
	}

	/**
	 * Another job took the ticket when its period had passed, or the run began.
	 */
	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTED", "UNTIL_EXECUTING", "UNTIL_AND_WHILE_EXECUTING" })
	void ticketOfAnotherJobStays(LockStrategy lock) {
		NewJob job = job("job", lock);
		ReservedJob run = start(job.copy().unique(job.lock(), job.key(), Duration.ofSeconds(5)).build()).get(0);
		this.pair.advance(Duration.ofSeconds(5));
		this.pair.enqueue(QueueFixture.job("newer", lock, "job"));
		die(List.of(failure(run)));
		assertThat(this.fixture.redis.opsForHash().values(this.fixture.name("tickets"))).containsExactly("newer");
	}

	@Test
	void claimOfADeadLetterStays() {
		NewJob job = job("job", LockStrategy.UNTIL_EXPIRED);
		die(List.of(failure(start(job).get(0))));
		this.pair.both((each) -> assertThat(each.queue.enqueue(QueueFixture.job("newer", job.lock(), "job")))
			.isEqualTo(new EnqueueResult.Duplicate("job", JobState.DEAD)));
	}

	@Test
	void keyOfADeadLetterIsHeldForTheRestOfItsHold() {
		ReservedJob run = start(job("job").copy().holdAtLeast(Duration.ofSeconds(9)).build()).get(0);
		this.pair.advance(Duration.ofSeconds(2));
		die(List.of(failure(run)));
		assertThat(this.fixture.redis.opsForValue().get(this.fixture.lock(QueueFixture.key("job"))))
			.isEqualTo(run.token() + ":rest");
	}

	/**
	 * Fills the dead letters of two queues, then adds one after the other.
	 */
	@Test
	void surplusDeadLettersArePurgedAsByTheGeneralScript() {
		NewJob other = QueueFixture.job("letter1", "other", LockStrategy.NONE).copy().retries(0).build();
		die(ends(start(job("letter0"), other)));
		this.pair.advance(Duration.ofSeconds(1));
		die(ends(start(job("letter2"), job("letter3"))));
		// One is too many, but may be requested by a repeated call.
		die(List.of(failure(start(job("letter4")).get(0))));
		assertThat(letters()).hasSize(5);
		this.pair.advance(Duration.ofMinutes(2));
		die(List.of(failure(start(job("letter5")).get(0))));
		assertThat(letters()).containsExactly("letter2", "letter3", "letter4", "letter5");
		assertThat(this.fixture.store.find("letter1")).isEmpty();
		assertThat(this.fixture.store.attempts("letter0")).isEmpty();
		assertThat(this.fixture.store.counts("other").deadLetters()).isZero();
	}

	@Test
	void oldDeadLettersArePurgedAsByTheGeneralScript() {
		die(ends(start(job("old"))));
		this.pair.advance(LONGEST_KEPT.minusSeconds(1));
		die(ends(start(job("kept"))));
		this.pair.advance(Duration.ofSeconds(2));
		die(ends(start(job("new"))));
		assertThat(letters()).containsExactly("kept", "new");
	}

	private List<String> letters() {
		return this.fixture.redis.opsForZSet().range(this.fixture.name("dead"), 0, -1).stream().toList();
	}

	/**
	 * Checks surplus dead letters whose records are missing, damaged or those of other
	 * jobs, and damaged counters.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "missing", "damaged", "later", "running", "dismissed", "dead", "letters", "few" })
	void otherDeadLettersAreLeftToTheGeneralScript(String what) {
		List<ReservedJob> runs = start(
				IntStream.range(0, MOST_LETTERS + 1).mapToObj((i) -> job("letter" + i)).toArray(NewJob[]::new));
		die(ends(runs));
		this.pair.advance(Duration.ofMinutes(2));
		RunEnd end = failure(start(job("job")).get(0));
		byte[] letter = this.fixture.record("letter0");
		byte[] counters = this.fixture.field("state", "q:default");
		switch (what) {
			case "missing" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "letter0");
			case "damaged" -> this.fixture.record("letter0", new byte[] { 1, 4, 'd', 'e' });
			case "later" -> this.fixture.record("letter0", withFirst(letter, (byte) 2));
			case "running" -> this.fixture.record("letter0", this.fixture.record("job"));
			case "dismissed" -> this.fixture.change("letter0", (record) -> record.withJson("ra", "5"));
			case "few" -> this.fixture.field("state", "q:default", firstSixteen(counters));
			default -> this.fixture.count("default", (numbers) -> numbers.with(what, -20_000_000_000_000L));
		}
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class)
			.isThrownBy(() -> this.fast.queue.settle(List.of(end), null));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.record("letter0", letter);
		this.fixture.field("state", "q:default", counters);
		this.pair.both((each) -> each.queue.settle(List.of(end), null));
		this.fixture.store.repair();
	}

	private static byte[] withFirst(byte[] bytes, byte first) {
		byte[] changed = bytes.clone();
		changed[0] = first;
		return changed;
	}

	/**
	 * Returns counters without the number of dead letters, and all that follow it.
	 */
	private static byte[] firstSixteen(byte[] counters) {
		byte[] changed = Arrays.copyOf(counters, 2 + 16 * 7);
		changed[1] = 16;
		return changed;
	}

	/**
	 * The reply to the first call is lost.
	 */
	@Test
	void repeatedCallHasTheSameResultAndNoSecondEvent() {
		RunEnd end = failure(start(job("job")).get(0));
		die(List.of(end));
		Settlement repeated = this.fixture.queue.settle(List.of(end), null);
		assertThat(repeated.ends()).containsExactly(new EndResult("job", true, JobState.DEAD));
		assertThat(this.fixture.store.attempts("job")).hasSize(1);
		this.pair.assertStoreIsSame();
	}

	@Test
	void deadLetterCanBeRequeued() {
		die(ends(start(job("one"), job("two"))));
		this.pair.both((each) -> each.store.requeue(List.of(new RequeuedJob("one", "again"))));
		assertThat(this.fixture.store.counts("default").deadLetters()).isOne();
		this.pair.assertStoreIsSame();
	}

}
