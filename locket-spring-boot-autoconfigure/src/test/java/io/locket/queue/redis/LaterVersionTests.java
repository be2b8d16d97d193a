package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueCounts;
import io.locket.queue.UnreadableRecord;
import io.locket.queue.UpdateResult;
import io.locket.queue.Violation;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.ExpectedJob;
import io.locket.queue.spi.KeyBlocker;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.RequeuedJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.UpdateAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for records of a later version.
 */
class LaterVersionTests {

	private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(36);

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void entryOfALaterVersionStaysAmongWhatIsDue() {
		this.fixture.redis.opsForZSet().add(this.fixture.name("due"), "z:later", 0);
		enqueue("a");
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "z:later"))
			.isGreaterThan(this.fixture.now());
	}

	@Test
	void jobOfALaterVersionWaitsForAWorkerThatReadsIt() {
		enqueue("a", "b");
		this.fixture.change("a", (record) -> record.version(2).withMoreHead(bytes("later")));
		byte[] written = this.fixture.record("a");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		assertThat(this.fixture.store.unreadable(10)).singleElement()
			.satisfies((record) -> assertThat(record.version()).isEqualTo(2));
		this.fixture.advance(Duration.ofDays(40));
		this.fixture.reserve(2, "default");
		this.fixture.reserve(2, "default");
		assertThat(this.fixture.store.repair()).isEmpty();
		assertThat(this.fixture.record("a")).isEqualTo(written);
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			assertThat(later.reserveIds(2, "default")).contains("a");
			assertThat(later.store.counts("default").unreadable()).isZero();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	/**
	 * Older workers postpone the check for records of later versions. Busy ones poll
	 * sooner after its time than an idle worker that reads these records.
	 */
	@Test
	void jobOfALaterVersionIsTakenBackThoughOlderWorkersAlwaysPollFirst() {
		enqueue("a");
		this.fixture.change("a", (record) -> record.version(2));
		List<String> taken = new ArrayList<>();
		try (QueueFixture later = this.fixture.later()) {
			for (int i = 0; i < 5; i++) {
				assertThat(this.fixture.reserveIds(2, "default")).isEmpty();
				taken.addAll(later.reserveIds(1, "default"));
				this.fixture.advance(Duration.ofSeconds(2));
			}
			assertThat(taken).containsExactly("a");
			assertThat(later.store.counts("default").unreadable()).isZero();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	@Test
	void jobOfALaterVersionThatWaitsForItsHandlerIsTakenBackOnce() {
		enqueue("a");
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.unknown(run, "There is no such job")), null);
		this.fixture.change("a", (record) -> record.version(2));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(counts().unreadable()).isOne();
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0);
			assertThat(later.store.verify()).isEmpty();
			assertThat(later.reserveIds(1, "default")).containsExactly("a");
			assertThat(later.store.verify()).isEmpty();
		}
	}

	@Test
	void parkedJobOfALaterVersionRunsThoughItsKeyWasCheckedInTheSameCall() {
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofMinutes(1));
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.change("a", (record) -> record.version(2));
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0, "default");
			assertThat(later.store.verify()).isEmpty();
			assertThat(later.reserveIds(1, "default")).containsExactly("a");
		}
	}

	/**
	 * The next job of its key follows only after it.
	 */
	@Test
	void promotedJobOfALaterVersionIsListedForItsKeyAgainWhenItIsTakenBack() {
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofMinutes(1));
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofSeconds(2));
		this.fixture.reserve(0);
		assertThat(RecordBytes.of(this.fixture.record("a")).number("g")).isOne();
		this.fixture.change("a", (record) -> record.version(2));
		this.fixture.advance(Duration.ofMinutes(1));
		this.fixture.reserve(0);
		assertThat(counts().unreadable()).isOne();
		this.fixture.advance(Duration.ofSeconds(3));
		assertThatALaterWorkerRuns("a");
	}

	private void assertThatALaterWorkerRuns(String id) {
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0);
			assertThat(later.store.verify()).isEmpty();
			assertThat(later.reserveIds(1, "default")).containsExactly(id);
		}
	}

	/**
	 * Without the message, idle workers find it at their next poll.
	 */
	@Test
	void workersAreNotifiedOfAReadyJobThatIsTakenBack() throws InterruptedException {
		enqueue("a");
		this.fixture.change("a", (record) -> record.version(2));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later(); WorkMessages messages = new WorkMessages(this.fixture)) {
			later.reserve(0);
			assertThat(messages.untilNow()).containsExactly("default");
		}
	}

	@Test
	void runOfALaterVersionIsReclaimedByAWorkerThatReadsIt() {
		startAndExpire("a");
		assertThat(counts().unreadable()).isOne();
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0);
			ReservedJob job = later.reserve(1, "default").jobs().get(0);
			assertThat(job.record().reclaims()).isOne();
			assertThat(later.queue.settle(List.of(RunEnd.succeeded(job)), null).ends().get(0).counted()).isTrue();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8, RecordBytes.WITHOUT_HEAD + 2, RecordBytes.WITHOUT_HEAD + 8 })
	void firstByteOfALaterVersionIsKept(int first) {
		enqueue("a", "b");
		this.fixture.record("a", new byte[] { (byte) first, 'x' });
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		assertThat(this.fixture.store.unreadable(10)).extracting(UnreadableRecord::version)
			.containsExactly(first % RecordBytes.WITHOUT_HEAD);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 9, '{', 'n', RecordBytes.WITHOUT_HEAD, RecordBytes.WITHOUT_HEAD + 9, 255 })
	void otherFirstByteIsDamage(int first) {
		enqueue("a", "b");
		this.fixture.record("a", new byte[] { (byte) first, 'x' });
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		assertThat(this.fixture.store.unreadable(10)).singleElement()
			.satisfies((record) -> assertThat(record.version()).isNull());
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void jobOfALaterVersionKeepsItsTicketAndItsId() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1);
		this.fixture.queue.enqueue(job);
		this.fixture.change("a", (record) -> record.version(2));
		assertThat(this.fixture.queue.enqueue(job)).isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTED, 1)))
			.isEqualTo(new EnqueueResult.Duplicate("a", null));
		assertThat(this.fixture.store.repair()).isEmpty();
		assertThat(this.fixture.record("a")[0]).isEqualTo((byte) (RecordBytes.WITHOUT_HEAD + 2));
	}

	@Test
	void repairLeavesTheTicketOfAJobToOneOfALaterVersion() {
		String ticket = QueueFixture.key(1).digest();
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1));
		this.fixture.redis.opsForHash().delete(this.fixture.name("tickets"), ticket);
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTED, 1));
		this.fixture.change("b", (record) -> record.version(2));
		assertThat(this.fixture.store.repair()).extracting(Violation::subject, Violation::description)
			.containsExactly(tuple("a", "is ready without its ticket, which b has"));
		assertThat(this.fixture.redis.opsForHash().get(this.fixture.name("tickets"), ticket)).isEqualTo("b");
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("c", LockStrategy.UNTIL_EXECUTED, 1)))
			.isEqualTo(new EnqueueResult.Duplicate("b", null));
	}

	/**
	 * No version would ever take the job back.
	 */
	@Test
	void jobThatIsSetAsideForAnotherVersionThanItsOwnIsFoundAndTakenBack() {
		enqueue("a");
		this.fixture.change("a", (record) -> record.version(2));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		this.fixture.redis.opsForZSet().add(this.fixture.name("unreadable"), "a", 7);
		assertThat(this.fixture.store.verify()).extracting(Violation::subject, Violation::description)
			.containsExactly(tuple("a", "is set aside for another version than its own"));
		assertThat(this.fixture.store.repair()).hasSize(1).allMatch(Violation::repaired);
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0);
			assertThat(later.reserveIds(1, "default")).containsExactly("a");
		}
	}

	@Test
	void jobOfALaterVersionThatHoldsATicketIsTheBlockerOfItsKey() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1);
		this.fixture.queue.enqueue(job);
		this.fixture.change("a", (record) -> record.version(2));
		assertThat(this.fixture.store.blocker(QueueFixture.key(1), true))
			.contains(new KeyBlocker("a", null, null, KeyBlocker.NO_POSITION, null));
	}

	@ParameterizedTest
	@EnumSource(names = { "RETURNED", "RETRY" })
	void jobOfALaterVersionThatHoldsATicketSupersedesARunThatEnds(RunEnd.Kind kind) {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_EXECUTING, 1));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTING, 1));
		this.fixture.change("b", (record) -> record.version(2));
		RunEnd end = (kind == RunEnd.Kind.RETRY) ? RunEnd.retry(run, Duration.ofSeconds(1), "it broke")
				: RunEnd.returned(run);
		assertThat(this.fixture.queue.settle(List.of(end), null).ends())
			.containsExactly(new EndResult("a", true, JobState.SUPERSEDED));
		assertThat(this.fixture.store.find("a").orElseThrow().supersededBy()).isEqualTo("b");
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("c", LockStrategy.UNTIL_EXECUTING, 1)))
			.isEqualTo(new EnqueueResult.Duplicate("b", null));
	}

	@Test
	void requeueReplacesNoRecordOfALaterVersion() {
		enqueue("a", "b");
		this.fixture.queue.settle(List.of(RunEnd.dead(this.fixture.reserve(1, "default").jobs().get(0), "it broke")),
				null);
		this.fixture.change("b", (record) -> record.version(2));
		byte[] record = this.fixture.record("b");
		assertThat(this.fixture.store.requeue(List.of(new RequeuedJob("a", "b"))))
			.containsExactly(new EnqueueResult.Duplicate("b", null));
		assertThat(this.fixture.record("b")).isEqualTo(record);
		assertThat(counts().deadLetters()).isOne();
	}

	@Test
	void freshJobOfALaterProcessIsReadByThisOne() {
		enqueue("a");
		try (QueueFixture later = this.fixture.later()) {
			later.queue.enqueue(List.of(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTED, 2)));
			later.queue.enqueue(List.of(QueueFixture.job("c", LockStrategy.UNTIL_EXECUTED, 3)));
			assertThat(later.store.verify()).isEmpty();
		}
		assertThat(this.fixture.reserveIds(3, "default")).containsExactly("a", "b", "c");
	}

	@Test
	void whatALaterVersionWritesIsNotMoved() {
		enqueue("a");
		this.fixture.change("a", (record) -> record.version(2).withJson("nothing", "null"));
		byte[] record = this.fixture.record("a");
		assertThat(this.fixture.store.update(new UpdateAction(UpdateAction.Kind.MOVE, "other", "step"),
				List.of(ExpectedJob.of("a"))))
			.containsExactly(UpdateResult.UNKNOWN);
		assertThat(this.fixture.record("a")).isEqualTo(record);
	}

	/**
	 * A repair by an older process during a rolling update changes nothing of a later
	 * one.
	 */
	@Test
	void repairLeavesRunsAndDelayedJobsOfALaterVersionInPlace() {
		enqueue("run");
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		delay("delayed", Duration.ofHours(1));
		List.of("run", "delayed").forEach((id) -> this.fixture.change(id, (record) -> record.version(2)));
		assertThat(this.fixture.store.repair()).isEmpty();
		assertThat(this.fixture.store.unreadable(10)).isEmpty();
		try (QueueFixture later = this.fixture.later()) {
			assertThat(later.reserveIds(1, "default")).isEmpty();
			assertThat(later.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	/**
	 * An older worker sets a run aside whose worker was frozen. It renews its run when it
	 * goes on.
	 */
	@Test
	void runOfALaterVersionThatWasRenewedSinceItWasSetAsideGoesOn() {
		ReservedJob run = startAndExpire("a");
		try (QueueFixture later = this.fixture.later()) {
			assertThat(later.queue.renew(List.of(new RunToken("a", run.token()))))
				.containsExactly(new RunRenewal(true, null, false));
			assertThat(this.fixture.store.repair()).isEmpty();
			this.fixture.advance(Duration.ofSeconds(3));
			later.reserve(0);
			assertThat(later.reserveIds(1, "default")).isEmpty();
			assertThat(later.store.verify()).isEmpty();
			assertThat(later.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
		}
	}

	@Test
	void runOfALaterVersionThatExpiresTwiceIsCountedOnce() {
		ReservedJob run = startAndExpire("a");
		try (QueueFixture later = this.fixture.later()) {
			later.queue.renew(List.of(new RunToken("a", run.token())));
		}
		this.fixture.advance(LONGER_THAN_A_LEASE);
		this.fixture.reserve(1, "default");
		assertThat(counts().unreadable()).isOne();
		assertThat(counts().in(JobState.RUNNING)).isZero();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * The end and the record that was set aside are both counted, until the record is
	 * taken back.
	 */
	@Test
	void runOfALaterVersionThatEndsWhileItIsSetAsideIsCountedOnceWhenItIsTakenBack() {
		ReservedJob run = startAndExpire("a");
		try (QueueFixture later = this.fixture.later()) {
			assertThat(later.queue.settle(List.of(RunEnd.succeeded(run)), null).ends().get(0).counted()).isTrue();
			this.fixture.advance(Duration.ofSeconds(3));
			later.reserve(0);
			assertThat(counts().in(JobState.RUNNING)).isZero();
			assertThat(counts().in(JobState.SUCCEEDED)).isOne();
			assertThat(counts().unreadable()).isZero();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	@Test
	void delayedJobOfALaterVersionRunsWhenItIsTakenBack() {
		delay("a", Duration.ofSeconds(1));
		this.fixture.change("a", (record) -> record.version(2));
		this.fixture.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		assertThat(counts().unreadable()).isOne();
		this.fixture.advance(Duration.ofSeconds(3));
		assertThatALaterWorkerRuns("a");
	}

	@Test
	void damagedRecordOfALaterVersionStaysSetAside() {
		enqueue("a", "b");
		this.fixture.record("a", new byte[] { 2, 'x' });
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		this.fixture.advance(Duration.ofSeconds(3));
		try (QueueFixture later = this.fixture.later()) {
			later.reserve(0);
			assertThat(later.store.unreadable(10)).singleElement()
				.satisfies((record) -> assertThat(record.version()).isNull());
			assertThat(later.store.counts("default").lost()).isZero();
			assertThat(later.store.verify()).isEmpty();
		}
	}

	/**
	 * Starts a job whose record then gets a later version, and whose lease expires.
	 */
	private ReservedJob startAndExpire(String id) {
		enqueue(id);
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.change(id, (record) -> record.version(2));
		this.fixture.advance(LONGER_THAN_A_LEASE);
		assertThat(this.fixture.reserveIds(1, "default")).isEmpty();
		return run;
	}

	private void delay(String id, Duration delay) {
		this.fixture.queue
			.enqueue(QueueFixture.job(id, LockStrategy.NONE).copy().start(NewJob.Start.in(delay)).build());
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

}
