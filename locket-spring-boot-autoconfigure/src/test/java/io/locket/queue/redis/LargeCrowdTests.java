package io.locket.queue.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for steps that involve thousands of jobs or queues.
 */
class LargeCrowdTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void lockedJobsOfManyQueuesParkInOneStep() {
		String[] queues = queues(900);
		this.fixture.queue.enqueue(IntStream.range(0, 9000)
			.mapToObj((i) -> QueueFixture.job("j" + i, queues[i % queues.length], LockStrategy.WHILE_EXECUTING, 1))
			.toList());
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofHours(1));
		Reservation reservation = this.fixture.reserve(1, queues);
		assertThat(reservation.jobs()).isEmpty();
		assertThat(this.fixture.store.counts("q899").in(JobState.PARKED)).isEqualTo(10);
	}

	@Test
	void reservationHandsOutAThousandJobsAtMost() {
		this.fixture.queue
			.enqueue(IntStream.range(0, 9000).mapToObj((i) -> QueueFixture.job("j" + i, LockStrategy.NONE)).toList());
		ReservationRequest request = QueueFixture.request(9000, "default");
		Reservation reservation = this.fixture.queue.reserve(request);
		assertThat(reservation.jobs()).hasSize(1000);
		assertThat(this.fixture.queue.reserve(request).jobs()).isEqualTo(reservation.jobs());
	}

	@Test
	void keyOfAForeignHolderIsPromotedBeforeABacklogOfDueJobs() {
		Instant at = Instant.ofEpochMilli(this.fixture.now()).plusSeconds(1);
		this.fixture.queue.enqueue(IntStream.range(0, 500).mapToObj((i) -> scheduled("j" + i, at)).toList());
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofHours(1));
		this.fixture.queue.enqueue(QueueFixture.job("parked", "other", LockStrategy.WHILE_EXECUTING, 1));
		this.fixture.reserve(1, "other");
		this.fixture.advance(Duration.ofSeconds(2));
		this.fixture.reserve(1, "other");
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.reserveIds(1, "other")).containsExactly("parked");
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isEqualTo(460);
	}

	@Test
	void removalEndsAllThatAreDueAtTheSameInstant() {
		Instant at = Instant.ofEpochMilli(this.fixture.now()).plus(Duration.ofDays(1));
		List<NewJob> jobs = IntStream.range(0, 1500).mapToObj((i) -> scheduled("j" + i, at)).toList();
		this.fixture.queue.enqueue(jobs);
		assertThat(this.fixture.store.remove("default")).isEqualTo(1500);
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isZero();
	}

	@Test
	void removalCountsThoseThatItPromotes() {
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofHours(1));
		this.fixture.queue.enqueue(IntStream.range(0, 150)
			.mapToObj((i) -> QueueFixture.job("j" + i, LockStrategy.WHILE_EXECUTING, 1))
			.toList());
		while (this.fixture.store.counts("default").in(JobState.PARKED) < 150) {
			this.fixture.reserve(1, "default");
		}
		this.fixture.releaseForeign(QueueFixture.key(1));
		assertThat(this.fixture.store.remove("default")).isEqualTo(150);
	}

	@Test
	void keyIsPromotedInEveryQueueHoweverMany() {
		String[] queues = queues(40);
		parkInEach(queues);
		assertPromotedInEach(queues);
		assertThat(this.fixture.reserve(0).next()).isPositive();
	}

	/**
	 * The jobs of the other queues are parked on a free key until the next step.
	 */
	@Test
	void promotionInPartOfTheQueuesIsNoViolation() {
		String[] queues = queues(40);
		parkInEach(queues);
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofMillis(1001));
		this.fixture.reserve(0);
		assertThat(
				Arrays.stream(queues).mapToLong((queue) -> this.fixture.store.counts(queue).in(JobState.READY)).sum())
			.isEqualTo(16);
		assertThat(this.fixture.store.verify()).isEmpty();
	}

	/**
	 * The first due entries are those of scheduled jobs. Each call promotes the key in
	 * some of its queues, and the entry for the other queues is later than these jobs.
	 */
	@Test
	void keyIsPromotedInEveryQueueBeforeABacklogOfDueJobs() {
		String[] queues = queues(40);
		parkInEach(queues);
		Instant at = Instant.ofEpochMilli(this.fixture.now()).plusMillis(1);
		this.fixture.queue.enqueue(IntStream.range(0, 500).mapToObj((i) -> scheduled("j" + i, at)).toList());
		assertPromotedInEach(queues);
		assertThat(this.fixture.store.counts("default").in(JobState.SCHEDULED)).isPositive();
	}

	private void parkInEach(String[] queues) {
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofHours(1));
		for (String queue : queues) {
			this.fixture.queue.enqueue(QueueFixture.job("of-" + queue, queue, LockStrategy.WHILE_EXECUTING, 1));
		}
		this.fixture.reserve(1, queues);
	}

	private void assertPromotedInEach(String[] queues) {
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofMillis(1001));
		for (int i = 0; i < 5; i++) {
			this.fixture.reserve(0);
		}
		for (String queue : queues) {
			assertThat(this.fixture.store.counts(queue).in(JobState.READY)).as(queue).isOne();
		}
	}

	private static String[] queues(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "q" + i).toArray(String[]::new);
	}

	private static NewJob scheduled(String id, Instant at) {
		NewJob job = QueueFixture.job(id, LockStrategy.NONE);
		return job.copy().start(NewJob.Start.at(at)).build();
	}

}
