package io.locket.queue.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the records of ready jobs that have not run: they have no head, and a
 * definition without options ends before them.
 */
class FreshRecordTests {

	private final QueuePair pair = new QueuePair();

	private final QueueFixture fixture = this.pair.fixture;

	private final QueueFixture other = this.pair.other;

	private final QueueFixture fast = this.pair.fast;

	private final QueueFixture general = this.pair.general;

	@AfterEach
	void close() {
		this.pair.close();
	}

	static Stream<NewJob> jobs() {
		NewJob job = job("plain");
		return Stream.of(job, job.copy().unique(LockStrategy.UNTIL_EXECUTED, job.key(), Duration.ofHours(1)).build(),
				job.copy().holdAtLeast(Duration.ofSeconds(2)).build(), job.copy().trace("00-trace-01").build(),
				job.copy().arguments("[2]").build(),
				job.copy().onConflict(ConflictStrategy.RESCHEDULE).rescheduleAfter(Duration.ofSeconds(3)).build());
	}

	@ParameterizedTest
	@MethodSource("jobs")
	void fastPathAndGeneralScriptWriteTheSame(NewJob job) {
		this.fixture.queue.enqueue(List.of(job("first")));
		this.other.queue.enqueue(List.of(job("first")));
		this.fast.queue.enqueue(List.of(job));
		this.general.queue.enqueue(List.of(job));
		byte[] record = this.fixture.record(job.id());
		assertThat(record).isEqualTo(this.other.record(job.id()));
		assertThat(record[0]).isEqualTo((byte) (RecordBytes.WITHOUT_HEAD + 1));
		assertThat(RecordBytes.of(record).bytes()).isEqualTo(record);
	}

	/**
	 * The fast path reads a definition only if it differs from the one before.
	 */
	@Test
	void jobsOfACallMayDifferInEachPartOfTheirDefinition() {
		List<NewJob> different = List.of(QueueFixture.job("key", LockStrategy.UNTIL_EXECUTED, "another"),
				QueueFixture.job("queue", "another", LockStrategy.UNTIL_EXECUTED, "queue"),
				QueueFixture.job("whole", LockStrategy.WHILE_EXECUTING, "whole"),
				QueueFixture.job("start", LockStrategy.UNTIL_EXECUTING, "start"),
				QueueFixture.job("none", LockStrategy.NONE), QueueFixture.job("none-too", LockStrategy.NONE),
				job("lease").copy().leaseFor(Duration.ofSeconds(90)).build(),
				job("conflict").copy().onConflict(ConflictStrategy.RAISE).build(),
				job("hold").copy().holdAtLeast(Duration.ofSeconds(2)).build(),
				job("trace").copy().trace("00-trace-01").build(), job("arguments").copy().arguments("[2]").build(),
				job("retries").copy().retries(7).build());
		List<NewJob> jobs = different.stream().flatMap((job) -> Stream.of(job("before-" + job.id()), job)).toList();
		this.fixture.queue.enqueue(jobs);
		this.other.queue.enqueue(jobs);
		ReservationRequest request = QueueFixture.request(jobs.size(), "default", "another");
		assertThat(this.fast.queue.reserve(request).jobs()).hasSize(jobs.size())
			.isEqualTo(this.general.queue.reserve(request).jobs());
		for (NewJob job : jobs) {
			assertThat(this.fixture.record(job.id())).as(job.id()).isEqualTo(this.other.record(job.id()));
			if (job.key() != null) {
				assertThat(expiry(this.fixture, job)).as(job.id()).isEqualTo(expiry(this.other, job));
			}
		}
	}

	@Test
	void recordThatIsCutBehindTheDefinitionOfAnotherIsSetAside() {
		this.fixture.queue.enqueue(
				Stream.of("a", "b", "c").map((id) -> QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, id)).toList());
		byte[] record = this.fixture.record("b");
		this.fixture.record("b", Arrays.copyOf(record, record.length - "[\"b\"]".length() - 1));
		assertThat(this.fixture.reserveIds(3, "default")).containsExactly("a", "c");
		assertThat(this.fixture.store.discard("b")).isTrue();
	}

	private static Object expiry(QueueFixture fixture, NewJob job) {
		return fixture.redis.opsForHash().get(fixture.name("test-expiry"), fixture.lock(job.key()));
	}

	@Test
	void recordWithoutOptionsIsShorter() {
		this.fixture.queue.enqueue(List.of(job("plain"), job("trace").copy().trace("00-trace-01").build()));
		assertThat(this.fixture.record("trace"))
			.hasSize(this.fixture.record("plain").length + RecordBytes.OPTIONS_SIZE + "00-trace-01".length());
	}

	@Test
	void delayOfAReschedulingIsStoredForNoOtherStrategy() {
		NewJob job = job("plain").copy().rescheduleAfter(Duration.ofSeconds(3)).build();
		this.fixture.queue.enqueue(List.of(job));
		this.other.queue.enqueue(List.of(job.copy().onConflict(ConflictStrategy.RESCHEDULE).build()));
		assertThat(RecordBytes.of(this.fixture.record("plain")).number("z")).isZero();
		assertThat(RecordBytes.of(this.other.record("plain")).number("z")).isEqualTo(3_000);
	}

	/**
	 * Checks a field that a later version has appended to a definition without options.
	 */
	@Test
	void fastPathKeepsALaterField() {
		this.fixture.queue.enqueue(List.of(job("plain")));
		this.fixture.change("plain", (record) -> record.withMoreDefinition((byte) 7, (byte) 0));
		ReservedJob run = this.fast.reserve(1, "default").jobs().get(0);
		assertThat(run.record().arguments()).isEqualTo("[\"plain\"]");
		assertThat(RecordBytes.of(this.fixture.record("plain")).moreDefinition()).containsExactly(7, 0);
		this.fast.queue.settle(List.of(RunEnd.succeeded(run)), QueueFixture.request(1, "default"));
		assertThat(RecordBytes.of(this.fixture.record("plain")).text("s")).isEqualTo("succeeded");
		assertThat(RecordBytes.of(this.fixture.record("plain")).moreDefinition()).containsExactly(7, 0);
	}

	@Test
	void jobThatHasRunHasAHeadWhenItIsReadyAgain() {
		this.fixture.queue.enqueue(List.of(job("plain")));
		ReservedJob run = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.returned(run)), null);
		assertThat(this.fixture.record("plain")[0]).isEqualTo((byte) 1);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("plain");
	}

	private static NewJob job(String id) {
		return QueueFixture.job(id, LockStrategy.UNTIL_EXECUTED, id);
	}

}
