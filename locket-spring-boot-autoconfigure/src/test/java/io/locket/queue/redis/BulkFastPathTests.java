package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
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
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fast path that enqueues jobs of a bulk, and jobs with a claim. It replies
 * and stores the same as the general script.
 */
class BulkFastPathTests {

	private static final Duration DELAY = Duration.ofMinutes(1);

	private static final LockStrategy CLAIM = LockStrategy.UNTIL_EXPIRED;

	private static final LockStrategy TICKET = LockStrategy.UNTIL_EXECUTED;

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	@BeforeEach
	void createQueues() {
		this.pair.enqueue(QueueFixture.job("before", "default", LockStrategy.NONE),
				QueueFixture.job("before-other", "other", LockStrategy.NONE));
		take(2);
	}

	@AfterEach
	void close() {
		this.pair.close();
	}

	private List<ReservedJob> take(int count) {
		ReservationRequest request = QueueFixture.request(count, "default", "other");
		List<ReservedJob> jobs = this.fixture.queue.reserve(request).jobs();
		assertThat(this.pair.other.queue.reserve(request).jobs()).hasSameSizeAs(jobs).hasSize(count);
		return jobs;
	}

	/**
	 * Enqueues jobs by the fast path and by the general script, and compares the results,
	 * the events and all that is stored.
	 */
	private List<EnqueueResult> enqueue(NewJob... jobs) {
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			this.pair.general.events.clear();
			List<EnqueueResult> results = fast.queue.enqueue(List.of(jobs));
			assertThat(results).hasSameSizeAs(jobs).isEqualTo(this.pair.general.queue.enqueue(List.of(jobs)));
			assertThat(fast.events).hasSameSizeAs(jobs).isEqualTo(this.pair.general.events);
			this.pair.assertStoreIsSame();
			return results;
		}
	}

	private static EnqueueResult accepted(String id) {
		return new EnqueueResult.Accepted(id);
	}

	private static EnqueueResult duplicate(String of, JobState state) {
		return new EnqueueResult.Duplicate(of, state);
	}

	private static NewJob job(String id, LockStrategy lock, String key) {
		return QueueFixture.job(id, lock, key);
	}

	private static NewJob delayed(String id, LockStrategy lock, String key) {
		return job(id, lock, key).copy().start(NewJob.Start.in(DELAY)).build();
	}

	private static NewJob at(String id, LockStrategy lock, String key, long millis) {
		return job(id, lock, key).copy().start(NewJob.Start.at(Instant.ofEpochMilli(millis))).build();
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void jobsAreStoredAsByTheGeneralScript(LockStrategy lock) {
		assertThat(enqueue(job("one", lock, "1"), QueueFixture.job("two", "other", lock, "2"), job("three", lock, "3")))
			.containsExactly(accepted("one"), accepted("two"), accepted("three"));
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void duplicatesAreRefusedAndOthersAccepted(LockStrategy lock) {
		this.pair.enqueue(job("first", lock, "a"), job("second", lock, "b"));
		assertThat(enqueue(job("one", lock, "1"), job("two", lock, "b"), job("three", lock, "3"),
				job("four", lock, "a"), job("five", lock, "b")))
			.containsExactly(accepted("one"), duplicate("second", JobState.READY), accepted("three"),
					duplicate("first", JobState.READY), duplicate("second", JobState.READY));
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void duplicatesWithinTheCallAreRefused(LockStrategy lock) {
		assertThat(
				enqueue(job("one", lock, "a"), job("two", lock, "a"), job("three", lock, "b"), job("four", lock, "a")))
			.containsExactly(accepted("one"), duplicate("one", JobState.READY), accepted("three"),
					duplicate("one", JobState.READY));
	}

	/**
	 * A job with a ticket and one with a claim do not refuse each other.
	 */
	@Test
	void ticketAndClaimOfTheSameKeyAreIndependent() {
		assertThat(enqueue(job("one", TICKET, "a"), job("two", CLAIM, "a"), job("three", CLAIM, "a"),
				job("four", LockStrategy.UNTIL_EXECUTING, "a"), job("five", LockStrategy.WHILE_EXECUTING, "a")))
			.containsExactly(accepted("one"), accepted("two"), duplicate("two", JobState.READY),
					duplicate("one", JobState.READY), accepted("five"));
	}

	@Test
	void callWithDuplicatesOnlyChangesNothing() {
		this.pair.enqueue(job("first", TICKET, "a"));
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThat(enqueue(job("one", TICKET, "a"), job("two", TICKET, "a")))
			.containsOnly(duplicate("first", JobState.READY));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
	}

	@Test
	void queueWithDuplicatesOnlyIsNotChanged() {
		this.pair.enqueue(QueueFixture.job("first", "other", TICKET, "a"));
		assertThat(enqueue(job("one", TICKET, "1"), QueueFixture.job("two", "other", TICKET, "a")))
			.containsExactly(accepted("one"), duplicate("first", JobState.READY));
	}

	/**
	 * An id that is the text of a key does not make a duplicate.
	 */
	@Test
	void idMayBeTheTextOfAKey() {
		String digest = QueueFixture.key("a").digest();
		assertThat(enqueue(job(digest, TICKET, "b"), job("two", TICKET, "a"))).containsExactly(accepted(digest),
				accepted("two"));
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class, mode = EnumSource.Mode.EXCLUDE, names = "DEFAULT")
	void delayedJobsAreStoredAsByTheGeneralScript(LockStrategy lock) {
		assertThat(enqueue(delayed("one", lock, "1"), job("two", lock, "2"), delayed("three", lock, "3"),
				at("four", lock, "4", this.fixture.now() + 500), at("five", lock, "5", this.fixture.now()),
				at("six", lock, "6", 0)))
			.hasSize(6)
			.allMatch(EnqueueResult.Accepted.class::isInstance);
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isEqualTo(3);
		assertThat(take(3)).extracting((job) -> job.record().id()).containsExactly("two", "five", "six");
	}

	@ParameterizedTest
	@EnumSource(value = LockStrategy.class,
			names = { "UNTIL_EXECUTING", "UNTIL_EXECUTED", "UNTIL_AND_WHILE_EXECUTING", "UNTIL_EXPIRED" })
	void duplicatesOfDelayedJobsAreRefused(LockStrategy lock) {
		this.pair.enqueue(delayed("first", lock, "a"));
		assertThat(enqueue(delayed("one", lock, "a"), delayed("two", lock, "b"), job("three", lock, "b"),
				job("four", lock, "c"), delayed("five", lock, "c")))
			.containsExactly(duplicate("first", JobState.SCHEDULED), accepted("two"),
					duplicate("two", JobState.SCHEDULED), accepted("four"), duplicate("four", JobState.READY));
	}

	@Test
	void queueWithDelayedDuplicatesOnlyIsNotChanged() {
		this.pair.enqueue(QueueFixture.job("first", "other", TICKET, "a"));
		assertThat(enqueue(delayed("one", TICKET, "1"),
				QueueFixture.job("two", "other", TICKET, "a").copy().start(NewJob.Start.in(DELAY)).build()))
			.containsExactly(accepted("one"), duplicate("first", JobState.READY));
	}

	@Test
	void delayedClaimOfASingleJobIsMade() {
		assertThat(enqueue(at("one", CLAIM, "a", this.fixture.now() + 1000))).containsExactly(accepted("one"));
		assertThat(enqueue(delayed("two", CLAIM, "a"))).containsExactly(duplicate("one", JobState.SCHEDULED));
		this.pair.advance(Duration.ofSeconds(1));
		assertThat(take(1)).extracting((job) -> job.record().id()).containsExactly("one");
		this.pair.advance(Duration.ofHours(1));
		assertThat(enqueue(delayed("two", CLAIM, "a"))).containsExactly(accepted("two"));
	}

	/**
	 * The last jobs are due at the latest time that records can store.
	 */
	@Test
	void largeBulkOfDelayedJobsIsStoredAsByTheGeneralScript() {
		List<NewJob> jobs = new ArrayList<>();
		IntStream.range(0, 100)
			.forEach((i) -> jobs
				.add(at("job" + i, TICKET, "k" + i, (i < 95) ? this.fixture.now() + 1000 - i : Long.MAX_VALUE - i)));
		assertThat(enqueue(jobs.toArray(NewJob[]::new))).hasSize(100);
		this.pair.advance(Duration.ofSeconds(1));
		assertThat(take(20)).extracting((job) -> job.record().id()).startsWith("job94", "job93");
	}

	@Test
	void queueWhoseNumberOfDelayedJobsIsDamagedIsLeftToTheGeneralScript() {
		this.fixture.count("default", (counters) -> counters.with("scheduled", -20_000_000_000_000L));
		Map<String, String> before = QueuePair.stored(this.fixture);
		List<NewJob> jobs = List.of(job("one", TICKET, "1"), delayed("two", TICKET, "2"));
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> enqueueByFastPath(jobs));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.store.repair();
	}

	@Test
	void segmentsAreFilledPastDuplicates() {
		List<NewJob> jobs = new ArrayList<>();
		IntStream.range(0, 100).forEach((i) -> jobs.add(job("job" + i, (i % 3 == 0) ? CLAIM : TICKET, "k" + i / 2)));
		List<EnqueueResult> results = enqueue(jobs.toArray(NewJob[]::new));
		assertThat(results).filteredOn(EnqueueResult.Duplicate.class::isInstance).hasSize(16);
		assertThat(take(84)).hasSize(84);
	}

	@Test
	void claimOfASingleJobIsMade() {
		assertThat(enqueue(job("one", CLAIM, "a"))).containsExactly(accepted("one"));
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(duplicate("one", JobState.READY));
	}

	@Test
	void claimOfARunningAndOfAnEndedJobRefuses() {
		enqueue(job("one", CLAIM, "a"));
		ReservedJob run = take(1).get(0);
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(duplicate("one", JobState.RUNNING));
		this.pair.both((each) -> each.queue.settle(List.of(RunEnd.succeeded(run)), null));
		assertThat(enqueue(job("two", CLAIM, "a"), job("three", CLAIM, "b")))
			.containsExactly(duplicate("one", JobState.SUCCEEDED), accepted("three"));
	}

	@Test
	void claimOfADeadLetterRefuses() {
		enqueue(job("one", CLAIM, "a"));
		ReservedJob run = take(1).get(0);
		this.pair.both((each) -> each.queue
			.settle(List.of(new RunEnd("one", run.token(), RunEnd.Kind.DEAD, Duration.ZERO, "it broke")), null));
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(duplicate("one", JobState.DEAD));
	}

	@Test
	void claimOfAnotherQueueRefusesOnceTheJobRuns() {
		this.pair.enqueue(QueueFixture.job("one", "other", CLAIM, "a"));
		take(1);
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(duplicate("one", JobState.RUNNING));
	}

	@Test
	void claimWhoseRecordIsGoneRefuses() {
		this.pair.both((each) -> each.redis.opsForValue()
			.set(each.name("claim:" + QueueFixture.key("a").digest()), "run:gone:claim 0 5 {}"));
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(duplicate("gone", null));
	}

	@Test
	void claimOfADirectCallRefuses() {
		this.pair.both((each) -> each.redis.opsForValue()
			.set(each.name("claim:" + QueueFixture.key("a").digest()), "token 7 5 {}"));
		assertThat(enqueue(job("two", CLAIM, "a"), job("three", CLAIM, "a")))
			.containsOnly(new EnqueueResult.Duplicate(null, null));
	}

	@Test
	void claimExpires() {
		enqueue(job("one", CLAIM, "a"));
		this.pair.advance(Duration.ofHours(1));
		assertThat(enqueue(job("two", CLAIM, "a"))).containsExactly(accepted("two"));
	}

	/**
	 * The record of a job that has a claim is gone, and the call that enqueued it is
	 * repeated beside another job.
	 */
	@Test
	void ownClaimWithoutARecordIsLeftToTheGeneralScript() {
		this.pair.enqueue(job("first", CLAIM, "a"));
		this.pair.both((each) -> each.redis.opsForHash().delete(each.name("jobs"), "first"));
		List<NewJob> jobs = List.of(job("second", CLAIM, "a"), job("first", CLAIM, "a"));
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> enqueueByFastPath(jobs));
		assertThat(this.fixture.queue.enqueue(jobs)).containsExactly(duplicate("first", null), accepted("first"));
		this.pair.both((each) -> each.store.repair());
	}

	/**
	 * Checks holders whose records do not show that they hold the ticket or claim, known
	 * ids, and jobs that replace others.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "gone", "damaged", "version", "queue", "removed", "retry", "replace", "known", "twice",
			"damaged-claim", "waiting-claim", "queue-claim", "removed-claim", "own-claim" })
	void otherBulksAreLeftToTheGeneralScript(String what) {
		LockStrategy lock = what.endsWith("-claim") ? CLAIM : TICKET;
		this.fixture.queue.enqueue(what.startsWith("queue") ? QueueFixture.job("first", "other", lock, "a")
				: QueueFixture.job("first", lock, "a"));
		List<NewJob> jobs = List.of(job("one", TICKET, "1"), second(what, lock));
		byte[] record = this.fixture.record("first");
		changeFirst(what);
		Map<String, String> before = QueuePair.stored(this.fixture);
		assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> enqueueByFastPath(jobs));
		assertThat(QueuePair.stored(this.fixture)).isEqualTo(before);
		this.fixture.record("first", record);
		this.fixture.store.repair();
	}

	private static NewJob second(String what, LockStrategy lock) {
		NewJob second = job("second", lock, "a");
		return switch (what) {
			case "replace" -> second.copy().onDuplicate(DuplicateStrategy.REPLACE).build();
			case "known" -> job("first", lock, "b");
			case "twice" -> job("one", TICKET, "2");
			case "own-claim" -> job("first", CLAIM, "a");
			default -> second;
		};
	}

	private void changeFirst(String what) {
		switch (what) {
			case "gone", "own-claim" -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "first");
			case "damaged", "damaged-claim" -> this.fixture.record("first", "damaged");
			case "version" -> this.fixture.record("first", new byte[] { 2, 5 });
			case "removed", "removed-claim" -> {
				this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
				this.fixture.advance(Duration.ofMillis(1));
			}
			case "retry", "waiting-claim" -> failFirst();
			default -> assertThat(what).matches("queue.*|replace|known|twice");
		}
	}

	private void failFirst() {
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.retry(run, DELAY, "it broke")), null);
	}

	private void enqueueByFastPath(List<NewJob> jobs) {
		try (QueueFixture fast = this.fixture.with(FastPathScripts.of(QueueFixture.manualScripts()))) {
			fast.queue.enqueue(jobs);
		}
	}

	/**
	 * The reply to the first call is lost, and the call repeated.
	 */
	@Test
	void repeatedCallHasTheSameResults() {
		this.pair.enqueue(job("first", TICKET, "a"));
		NewJob[] jobs = { job("one", CLAIM, "1"), job("two", TICKET, "a"), job("three", TICKET, "3") };
		List<EnqueueResult> results = enqueue(jobs);
		assertThat(this.fixture.queue.enqueue(List.of(jobs))).isEqualTo(results);
		this.pair.assertStoreIsSame();
	}

	@Test
	void fullRedisAcceptsNoneOfTheJobs() {
		try (RedisServer server = RedisServer.start()) {
			String namespace = RedisServer.newNamespace();
			try (QueueFixture all = QueueFixture.create(server, namespace)) {
				all.queue.enqueue(List.of(job("first", TICKET, "a"), job("claiming", CLAIM, "a")));
				server.execute("CONFIG", "SET", "maxmemory", "1");
				List<NewJob> jobs = List.of(job("one", CLAIM, "b"), job("two", TICKET, "b"), job("three", TICKET, "a"),
						delayed("four", CLAIM, "c"));
				assertThatExceptionOfType(QueueUnavailableException.class).isThrownBy(() -> all.queue.enqueue(jobs));
				assertThat(Objects.requireNonNull(all.redis.keys(all.name("claim:*")))).hasSize(1);
				assertThat(all.redis.opsForHash().size(all.name("tickets"))).isOne();
				assertThat(all.store.counts("default").in(JobState.READY)).isEqualTo(2);
				assertThat(all.store.counts("default").in(JobState.SCHEDULED)).isZero();
				assertThat(all.store.verify()).isEmpty();
			}
		}
	}

	@Test
	void workersAreNotifiedOnlyOfQueuesThatReceiveAJob() throws InterruptedException {
		this.pair.enqueue(QueueFixture.job("first", "other", TICKET, "a"));
		take(1);
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			enqueueByFastPath(List.of(job("one", CLAIM, "1"), QueueFixture.job("two", "other", TICKET, "a")));
			assertThat(messages.untilNow()).containsExactly("default");
		}
	}

	@Test
	void workersAreNotifiedOfTheFirstDelayedJobOnly() throws InterruptedException {
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			enqueueByFastPath(List.of(delayed("one", TICKET, "1"), delayed("two", TICKET, "2")));
			assertThat(messages.untilNow()).containsExactly("default");
			this.fixture.advance(Duration.ofMillis(1));
			enqueueByFastPath(List.of(delayed("three", TICKET, "3"), delayed("four", TICKET, "4")));
			assertThat(messages.untilNow()).isEmpty();
			enqueueByFastPath(
					List.of(delayed("five", TICKET, "5"), at("sooner", TICKET, "6", this.fixture.now() + 1000)));
			assertThat(messages.untilNow()).containsExactly("default");
			this.fixture.store.pause("default");
			messages.untilNow();
			enqueueByFastPath(List.of(job("six", TICKET, "7"), at("soonest", TICKET, "8", this.fixture.now() + 100)));
			assertThat(messages.untilNow()).isEmpty();
		}
	}

}
