package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;

import io.locket.ConflictStrategy;
import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.CancelResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobListing;
import io.locket.queue.JobRecord;
import io.locket.queue.JobSighting;
import io.locket.queue.NewJob;
import io.locket.queue.PutBack;
import io.locket.queue.ReservedJob;
import io.locket.queue.SteerAction;
import io.locket.queue.SteerResult;
import io.locket.queue.Violation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

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
	void unreadableRecordHoldsUpNobody() {
		enqueue("a", "b");
		write("a", "no record");
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
		assertThat(this.fixture.store.find("a")).isEmpty();
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).contains("a");
	}

	@Test
	void unreadableRecordOfARunHoldsUpNobody() {
		enqueue("a", "b");
		this.fixture.reserve(2, "default");
		write("a", "{\"v\":1\n[]");
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "'\"x\":35000'; '\"x\":\"later\"'", "'\"r\":3'; '\"later\":3'",
			"'\"n\":1'; '\"n\":null'", "'\"l\":\"NO\"'; '\"l\":\"UX\"'" })
	void recordWithoutWhatEveryJobHasHoldsUpNobody(String part, String replacement) {
		enqueue("a", "b");
		change("a", part, replacement);
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
		assertThat(this.fixture.store.cancel("a")).isEqualTo(CancelResult.UNKNOWN);
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).contains("a");
	}

	@Test
	void unreadableRecordHoldsUpNoAdministration() {
		enqueue("a", "b", "c");
		write("b", "{\"s\":\"ready\",\"q\":\"default\"\n[]");
		assertThat(this.fixture.store.list(new JobListing(JobState.READY, "default", null, null, 10, null)).jobs())
			.extracting(JobRecord::id)
			.containsExactly("a", "c");
		List<JobSighting> all = List.of(JobSighting.of("a"), JobSighting.of("b"), JobSighting.of("c"));
		assertThat(this.fixture.store.steer(new SteerAction(SteerAction.Kind.MOVE, "other", "step"), all))
			.containsExactly(SteerResult.DONE, SteerResult.UNKNOWN, SteerResult.DONE);
		assertThat(this.fixture.store.putBack(List.of(new PutBack("b", "b2"))))
			.containsExactly(new EnqueueResult.Duplicate("b", null));
		assertThat(this.fixture.store.remove("other")).isEqualTo(2);
		assertThat(this.fixture.store.remove("default")).isZero();
	}

	@Test
	void whatALaterVersionWritesIsKeptWhenAJobIsMoved() {
		enqueue("a");
		change("a", "\"v\":1", "\"v\":2,\"later\":\"x/y\",\"nothing\":null");
		this.fixture.store.steer(new SteerAction(SteerAction.Kind.MOVE, "other", "step"), List.of(JobSighting.of("a")));
		assertThat((String) this.fixture.redis.opsForHash().get(this.fixture.name("jobs"), "a")).contains("\"v\":2",
				"\"later\":\"x\\/y\"", "\"nothing\":null");
	}

	@Test
	void unreadableScheduledRecordHoldsUpNobody() {
		for (String id : new String[] { "a", "b" }) {
			NewJob job = QueueFixture.job(id, LockStrategy.NONE);
			this.fixture.queue.enqueue(new NewJob(job.id(), job.job(), job.queue(), job.arguments(), null, job.lock(),
					job.onDuplicate(), job.onConflict(), NewJob.Start.in(Duration.ofSeconds(1)), job.leaseFor(), null,
					job.holdAtLeast(), job.rescheduleAfter(), null, job.retries(), null));
		}
		write("a", "[]\n");
		this.fixture.advance(Duration.ofSeconds(2));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
	}

	@Test
	void unknownConflictStrategyParks() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		change("a", "\"v\":1", "\"v\":2,\"c\":\"later\"");
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofSeconds(10));
		assertThat(this.fixture.reserve(1, "default").jobs()).isEmpty();
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isOne();
		this.fixture.advance(Duration.ofSeconds(11));
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(job.record().version()).isEqualTo(2);
		assertThat(job.record().onConflict()).isEqualTo(ConflictStrategy.PARK);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void unknownLockStrategyIsHandedOutToBeGivenBack() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		change("a", "\"l\":\"WE\"", "\"l\":\"ZZ\"");
		JobRecord record = this.fixture.reserve(1, "default").jobs().get(0).record();
		assertThat(record.lock()).isEqualTo(LockStrategy.DEFAULT);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private void enqueue(String... ids) {
		for (String id : ids) {
			this.fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.NONE));
		}
	}

	private void change(String id, String part, String replacement) {
		String record = (String) this.fixture.redis.opsForHash().get(this.fixture.name("jobs"), id);
		String head = record.substring(0, record.indexOf('\n'));
		assertThat(head).contains(part);
		write(id, head.replace(part, replacement) + record.substring(head.length()));
	}

	private void write(String id, String record) {
		this.fixture.redis.opsForHash().put(this.fixture.name("jobs"), id, record);
	}

}
