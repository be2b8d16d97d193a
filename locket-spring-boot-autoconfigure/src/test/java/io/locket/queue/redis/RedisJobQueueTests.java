package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.JobState;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.TestJob;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.Settlement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisJobQueue} that are specific to Redis.
 */
class RedisJobQueueTests {

	/**
	 * Time for which a poller is remembered.
	 */
	private static final Duration POLLER = Duration.ofHours(1);

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void jobIsEnqueuedRunAndEnded() {
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.NONE)))
			.isEqualTo(new EnqueueResult.Accepted("a"));
		assertThat(this.fixture.store.find("a")).get().satisfies((job) -> {
			assertThat(job.state()).isEqualTo(JobState.READY);
			assertThat(job.arguments()).isEqualTo("[\"a\"]");
		});
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(job.record().state()).isEqualTo(JobState.RUNNING);
		Settlement settlement = this.fixture.queue.settle(List.of(RunEnd.succeeded(job)), null);
		assertThat(settlement.ends().get(0).counted()).isTrue();
		assertThat(settlement.ends().get(0).state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.fixture.store.counts("default").in(JobState.SUCCEEDED)).isOne();
	}

	@Test
	void jobsOfAHeldKeyParkAndFollowOneAnother() {
		for (String id : List.of("a", "b", "c")) {
			this.fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, 1));
		}
		Reservation first = this.fixture.reserve(3, "default");
		assertThat(first.jobs()).hasSize(1);
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isEqualTo(2);
		assertThat(this.fixture.store.verify()).isEmpty();
		Settlement next = this.fixture.queue.settle(List.of(RunEnd.succeeded(first.jobs().get(0))),
				QueueFixture.request(3, "default"));
		assertThat(next.next().jobs()).singleElement().extracting((job) -> job.record().id()).isEqualTo("b");
		assertThat(this.fixture.store.counts("default").in(JobState.PARKED)).isOne();
	}

	@Test
	void jobOfADeadWorkerGoesBackToItsPlace() {
		for (String id : List.of("a", "b")) {
			this.fixture.queue.enqueue(QueueFixture.job(id, LockStrategy.WHILE_EXECUTING, id));
		}
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
		this.fixture.advance(Duration.ofSeconds(36));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("a");
	}

	/**
	 * Checks that a poller to be deleted is not reported and does not hide due entries.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 30 })
	void replyHasTheDueTimeOfAJobThoughPollersExpireBefore(int pollers) {
		for (int i = 0; i < pollers; i++) {
			assertThat(this.fixture.queue.reserve(QueueFixture.request("poller" + i, 1, "default")).next())
				.satisfiesAnyOf((none) -> assertThat(none).isNull(), (next) -> assertThat(next).isEqualTo(POLLER));
		}
		this.fixture.advance(POLLER.minusSeconds(10));
		NewJob job = TestJob.of("a").after(Duration.ofSeconds(20)).build();
		this.fixture.queue.enqueue(job);
		long due = this.fixture.now() + 20_000;
		List<Long> looks = new ArrayList<>();
		while (this.fixture.now() < due) {
			Reservation reservation = this.fixture.queue.reserve(QueueFixture.request("poller0", 1, "default"));
			assertThat(reservation.next()).isNotNull();
			this.fixture.advance(reservation.cutShort() ? Duration.ZERO : reservation.next());
			looks.add(this.fixture.now());
		}
		assertThat(looks).last().isEqualTo(due);
		assertThat(looks).hasSizeLessThanOrEqualTo(4);
	}

}
