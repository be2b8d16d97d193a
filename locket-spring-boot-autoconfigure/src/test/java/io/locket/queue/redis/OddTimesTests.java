package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for clocks that run back, for steps that were left half way, and for entries that
 * are out of date.
 */
class OddTimesTests {

	private static final Duration HOLD = Duration.ofSeconds(10);

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void keyIsFreeWhenTheClockRanBackWhileItWasHeld() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1));
		ReservedJob job = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.advance(Duration.ofHours(-1));
		this.fixture.queue.settle(List.of(RunEnd.succeeded(job)), null);
		assertThat(this.fixture.redis.hasKey(this.fixture.lock(QueueFixture.key(1)))).isFalse();
	}

	@Test
	void jobOfAQueueThatIsHalfRemovedIsNoDuplicate() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.UNTIL_EXECUTED, 1));
		this.fixture.count("default", (counters) -> counters.with("removed_at", this.fixture.now()));
		assertThat(this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.UNTIL_EXECUTED, 1)))
			.isEqualTo(new EnqueueResult.Accepted("b"));
		assertThat(this.fixture.reserveIds(2, "default")).containsExactly("b");
	}

	@Test
	void entriesThatAreOutOfDateDoNotKeepDeadRunsFromBeingReclaimed() {
		this.fixture.queue.enqueue(QueueFixture.job("a", LockStrategy.NONE));
		this.fixture.reserve(1, "default");
		for (int i = 0; i < 40; i++) {
			this.fixture.queue.enqueue(QueueFixture.job("other" + i, "other", LockStrategy.NONE));
			this.fixture.redis.opsForZSet().add(this.fixture.name("running"), "other" + i, 1);
		}
		this.fixture.advance(Duration.ofSeconds(36));
		for (int i = 0; i < 3; i++) {
			this.fixture.reserve(0);
		}
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("a");
	}

	@Test
	void pollerThatComesBackAfterAnHourIsForgottenLater() {
		this.fixture.reserve(0);
		this.fixture.advance(Duration.ofMinutes(61));
		this.fixture.reserve(0);
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "w:poller")).isNotNull();
		this.fixture.advance(Duration.ofMinutes(61));
		this.fixture.queue.reserve(QueueFixture.request("other", 0));
		Set<Object> fields = this.fixture.redis.opsForHash().keys(this.fixture.name("state"));
		assertThat(fields).containsExactly("w:other");
	}

	@Test
	void nextParkedJobFollowsAPromotedOneThatFailsForALockWithoutAWord() {
		NewJob job = QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1);
		this.fixture.queue.enqueue(job.copy()
			.unique(job.lock(), job.key(), null)
			.onConflict(ConflictStrategy.RAISE)
			.holdAtLeast(HOLD)
			.build());
		ReservedJob first = this.fixture.reserve(1, "default").jobs().get(0);
		this.fixture.queue.settle(List.of(RunEnd.returned(first)), null);
		this.fixture.queue.enqueue(QueueFixture.job("b", LockStrategy.WHILE_EXECUTING, 1));
		assertThat(this.fixture.reserveIds(2, "default")).isEmpty();
		this.fixture.advance(HOLD.plusMillis(1));
		this.fixture.reserve(0);
		this.fixture.takeForeign(QueueFixture.key(1), Duration.ofHours(1));
		assertThat(this.fixture.reserve(1, "default").jobs().get(0).conflict()).isNotNull();
		this.fixture.releaseForeign(QueueFixture.key(1));
		this.fixture.advance(Duration.ofMillis(1001));
		assertThat(this.fixture.reserveIds(1, "default")).containsExactly("b");
	}

	@Test
	void conflictWithALockThatNeverExpiresHasNoTime() {
		NewJob job = QueueFixture.job("a", LockStrategy.WHILE_EXECUTING, 1);
		this.fixture.queue
			.enqueue(job.copy().unique(job.lock(), job.key(), null).onConflict(ConflictStrategy.RAISE).build());
		this.fixture.redis.opsForValue().set(this.fixture.lock(QueueFixture.key(1)), "foreign");
		ReservedJob reserved = this.fixture.reserve(1, "default").jobs().get(0);
		assertThat(reserved.conflict()).isNotNull();
		assertThat(reserved.conflictFor()).isNull();
	}

	@Test
	void periodOfNoTimeLeavesNothingHalfDone() {
		NewJob job = QueueFixture.job("a", LockStrategy.UNTIL_EXPIRED, 1);
		Duration tooLong = Duration.ofMillis(Long.MAX_VALUE - 1);
		try (QueueFixture real = QueueFixture.create()) {
			for (Duration period : List.of(Duration.ofNanos(1), tooLong)) {
				String id = "p" + period.getNano();
				real.queue.enqueue(job.copy().id(id).unique(job.lock(), QueueFixture.key(id), period).build());
			}
			assertThat(real.reserveIds(2, "default")).hasSize(2);
			assertThat(real.store.verify()).isEmpty();
		}
	}

}
