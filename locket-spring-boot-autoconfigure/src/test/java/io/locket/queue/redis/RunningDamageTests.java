package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.QueueCounts;
import io.locket.queue.Violation;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the record of a run of a queue of at most one run at once that is
 * overwritten: the queue goes on with the next reservation after the run lease has
 * expired, and its counters are right at once.
 */
class RunningDamageTests {

	private final QueueFixture fixture = QueueFixture.manual();

	private int requests;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	/**
	 * Job {@code a} runs, and {@code b} waits behind it.
	 */
	@BeforeEach
	void run() {
		enqueue("a", "default");
		assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("a");
		enqueue("b", "default");
		assertThat(reserve()).isEmpty();
	}

	static Stream<byte[]> noRecords() {
		return Stream.of(new byte[0], new byte[1], new byte[400], new byte[] { 1 }, new byte[] { 1, 0, 0, 0, 30, 7 },
				new byte[] { (byte) 129 }, new byte[] { (byte) 129, 0, 0, 0, 0 }, new byte[] { 9, 0, 0, 0, 0 },
				new byte[] { -1, -1, -1, -1, -1, -1 }, bytes("no record"),
				bytes("{\"v\":1,\"q\":\"default\",\"s\":\"running\"}\n[]"), bytes("\u0001".repeat(300)));
	}

	@ParameterizedTest
	@MethodSource("noRecords")
	void anyBytesInPlaceOfTheRecordOfARunDelayNoOtherJob(byte[] record) {
		this.fixture.record("a", record);
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("b");
		assertThat(counts().in(JobState.RUNNING)).isOne();
		assertThat(counts().unreadable()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
		assertThat(this.fixture.store.unreadable(10)).singleElement().satisfies((unreadable) -> {
			assertThat(unreadable.id()).isEqualTo("a");
			assertThat(unreadable.queue()).isEqualTo("default");
			assertThat(unreadable.state()).isEqualTo(JobState.RUNNING);
		});
	}

	@Test
	void recordOfALaterVersionInPlaceOfTheRecordOfARunDelaysNoOtherJob() {
		this.fixture.record("a", new byte[] { 2, 'x' });
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("b");
		assertThat(counts().unreadable()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void missingRecordOfARunDelaysNoOtherJob() {
		this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "a");
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("b");
		assertThat(counts().in(JobState.RUNNING)).isOne();
		assertThat(counts().lost()).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * The worker that serves the expired run has no handler for the queue. Other workers
	 * know the queue as idle, because it was full.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "cancelled", "damaged", "missing" })
	void workersAreNotifiedOfTheFullQueueOfARunThatDoesNotBecomeReadyAgain(String what) throws InterruptedException {
		switch (what) {
			case "cancelled" -> this.fixture.store.cancel("a");
			case "damaged" -> this.fixture.record("a", "no record");
			default -> this.fixture.redis.opsForHash().delete(this.fixture.name("jobs"), "a");
		}
		this.fixture.advance(Duration.ofSeconds(36));
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			this.fixture.reserve(1, "elsewhere");
			assertThat(messages.untilNow()).containsExactly("default");
		}
		assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("b");
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void noWorkerIsNotifiedOfAnExpiredRunWhoseJobIsHandedOutAgain() throws InterruptedException {
		this.fixture.advance(Duration.ofSeconds(36));
		try (WorkMessages messages = new WorkMessages(this.fixture)) {
			assertThat(reserve()).extracting((job) -> job.record().id()).containsExactly("a");
			assertThat(messages.untilNow()).isEmpty();
		}
	}

	/**
	 * The other record is valid. It says that the job is somewhere else.
	 */
	@ParameterizedTest
	@CsvSource({ "scheduled,default", "ready,default", "running,default", "retry,default", "succeeded,default",
			"dead,default", "scheduled,other", "ready,other", "running,other", "retry,other", "succeeded,other",
			"dead,other" })
	void recordOfAnotherJobInPlaceOfTheRecordOfARunDelaysNoOtherJob(String state, String queue) {
		try (QueueFixture source = QueueFixture.manual()) {
			this.fixture.record("a", record(source, state, queue));
		}
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(ranOf(3)).contains("b");
		assertThat(this.fixture.store.verify()).extracting(Violation::description)
			.noneMatch((description) -> description.contains("running jobs") || description.contains("accounts for"));
		this.fixture.store.repair();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	@Test
	void strayEntryOfAReadyJobAmongTheRunsIsRemoved() {
		this.fixture.redis.opsForZSet().add(this.fixture.name("running"), "b default", 0);
		this.fixture.queue.reserve(QueueFixture.request(0, "default"));
		assertThat(this.fixture.redis.opsForZSet().range(this.fixture.name("running"), 0, -1))
			.containsExactly("a default");
		assertThat(counts().in(JobState.RUNNING)).isOne();
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	private static byte[] record(QueueFixture source, String state, String queue) {
		NewJob job = QueueFixture.job("c", queue, LockStrategy.NONE);
		source.queue
			.enqueue(state.equals("scheduled") ? job.copy().start(NewJob.Start.in(Duration.ofHours(1))).build() : job);
		if (!state.equals("scheduled") && !state.equals("ready")) {
			ReservedJob run = source.reserve(1, queue).jobs().get(0);
			switch (state) {
				case "retry" -> source.queue.settle(List.of(RunEnd.retry(run, Duration.ofHours(1), "it broke")), null);
				case "succeeded" -> source.queue.settle(List.of(RunEnd.succeeded(run)), null);
				case "dead" -> source.queue.settle(List.of(RunEnd.dead(run, "it broke")), null);
				default -> assertThat(state).isEqualTo("running");
			}
		}
		return source.record("c");
	}

	/**
	 * Takes and ends the next jobs, one at a time.
	 */
	private List<String> ranOf(int reservations) {
		return Stream.generate(this::reserve).limit(reservations).flatMap(List::stream).map((job) -> {
			this.fixture.queue.settle(List.of(RunEnd.succeeded(job)), null);
			return job.record().id();
		}).toList();
	}

	private void enqueue(String id, String queue) {
		this.fixture.queue.enqueue(QueueFixture.job(id, queue, LockStrategy.NONE));
	}

	private List<ReservedJob> reserve() {
		ReservationRequest request = new ReservationRequest("request" + this.requests++, "poller", "i", "t",
				List.of(new QueueLimit("default", 1)), 1);
		return this.fixture.queue.reserve(request).jobs();
	}

	private QueueCounts counts() {
		return this.fixture.store.counts("default");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
