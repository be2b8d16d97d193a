package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.FailedAttempt;
import io.locket.queue.Violation;
import io.locket.queue.spi.ReservedJob;
import io.locket.queue.spi.RunEnd;
import io.locket.redis.RedisConnections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what failed attempts leave in Redis.
 */
class AttemptRetentionTests {

	private static final Duration KEPT = Duration.ofMinutes(5);

	/**
	 * Time after which an idle worker purges.
	 */
	private static final Duration PURGED = KEPT.plusSeconds(30);

	private final QueueFixture fixture = QueueFixture.manual();

	private RedisJobQueue queue = queue(3);

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.queue.close();
		this.fixture.close();
	}

	private RedisJobQueue queue(int attempts) {
		RedisConnections connections = new RedisConnections(this.fixture.connectionFactory,
				this.fixture.connectionFactory, Duration.ofSeconds(2), () -> {
				});
		return new RedisJobQueue(connections, this.fixture.leaseKeys,
				new QueueSettings(Duration.ofSeconds(2), 3, KEPT, 1000, KEPT, 1000, attempts),
				new JobEventPublisher(List.of()), QueueFixture.manualScripts());
	}

	private ReservedJob take(String id) {
		this.queue.enqueue(QueueFixture.job(id, LockStrategy.NONE));
		return take();
	}

	private ReservedJob take() {
		return this.queue.reserve(QueueFixture.request(1, "default")).jobs().get(0);
	}

	private void fail(ReservedJob job, String error) {
		this.queue.settle(List.of(RunEnd.retry(job, Duration.ZERO, error).withStackTrace("trace")), null);
	}

	private void succeed(ReservedJob job) {
		this.queue.settle(List.of(RunEnd.succeeded(job)), null);
	}

	private long stored() {
		return this.fixture.redis.opsForHash().size(this.fixture.name("attempts"));
	}

	@Test
	void numberOfAttemptsIsConfigurable() {
		ReservedJob job = take("a");
		for (int i = 1; i <= 3; i++) {
			fail(job, "error " + i);
			job = take();
		}
		this.queue.settle(List.of(RunEnd.dead(job, "error 4")), null);
		assertThat(this.fixture.store.attempts("a")).extracting(FailedAttempt::number).containsExactly(4, 3, 2);
	}

	@Test
	void nothingIsStoredWhenNoAttemptIsKept() {
		this.queue.close();
		this.queue = queue(0);
		fail(take("a"), "it broke");
		assertThat(stored()).isZero();
		assertThat(this.fixture.store.find("a").orElseThrow().attempt()).isEqualTo(1);
	}

	@Test
	void jobThatNeverFailsStoresNothing() {
		succeed(take("a"));
		assertThat(this.fixture.redis.hasKey(this.fixture.name("attempts"))).isFalse();
	}

	@Test
	void attemptsOfADeadLetterAreDeletedWithIt() {
		this.queue.settle(List.of(RunEnd.dead(take("a"), "it broke")), null);
		assertThat(stored()).isEqualTo(1);
		this.fixture.advance(PURGED);
		this.queue.reserve(QueueFixture.request(1, "default"));
		assertThat(this.fixture.store.find("a")).isEmpty();
		assertThat(stored()).isZero();
	}

	@Test
	void attemptsOfAnEndedJobAreDeletedWithItByAnIdleWorker() {
		fail(take("a"), "it broke");
		succeed(take());
		assertThat(stored()).isEqualTo(1);
		this.fixture.advance(PURGED);
		this.queue.reserve(QueueFixture.request(1, "default"));
		assertThat(this.fixture.store.find("a")).isEmpty();
		assertThat(stored()).isZero();
	}

	@Test
	void attemptsOfAnEndedJobAreDeletedWithItByABusyWorker() {
		fail(take("a"), "it broke");
		succeed(take());
		succeed(take("other"));
		this.fixture.advance(PURGED);
		for (int i = 0; i < 64; i++) {
			succeed(take("next" + i));
		}
		assertThat(this.fixture.store.find("a")).isEmpty();
		assertThat(this.fixture.store.find("other")).isEmpty();
		assertThat(stored()).isZero();
	}

	@Test
	void attemptsWithoutAJobAreAViolation() {
		fail(take("a"), "it broke");
		take();
		this.fixture.redis.opsForHash().put(this.fixture.name("attempts"), "gone", "\u0001");
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).containsExactly("gone");
		this.fixture.store.repair();
		assertThat(stored()).isEqualTo(1);
	}

	@Test
	void attemptsThatTheRecordDoesNotHaveAreAViolation() {
		succeed(take("a"));
		this.fixture.redis.opsForHash().put(this.fixture.name("attempts"), "a", "\u0001");
		assertThat(this.fixture.store.verify()).extracting(Violation::description)
			.containsExactly("has failed attempts, and its record has none");
		this.fixture.store.repair();
		assertThat(stored()).isZero();
	}

	@Test
	void damagedAttemptsAreReplacedByTheNextOne() {
		fail(take("a"), "it broke");
		byte[] damaged = this.fixture.field("attempts", "a");
		damaged[8] = -1;
		succeed(take());
		for (byte[] value : List.of(damaged, new byte[0], new byte[] { 1, 2, 3 },
				"text".getBytes(StandardCharsets.UTF_8), new byte[] { 0 })) {
			String id = "b" + value.length;
			fail(take(id), "it broke");
			this.fixture.field("attempts", id, value);
			fail(take(), "it broke again");
			assertThat(this.fixture.store.attempts(id).get(0).error()).isEqualTo("it broke again");
			succeed(take());
		}
	}

	@Test
	void attemptsOfALaterVersionStay() {
		fail(take("a"), "it broke");
		byte[] later = { 2, 42 };
		this.fixture.field("attempts", "a", later);
		fail(take(), "it broke again");
		assertThat(this.fixture.field("attempts", "a")).isEqualTo(later);
		assertThat(this.fixture.store.attempts("a")).isEmpty();
		succeed(take());
		this.fixture.advance(PURGED);
		this.queue.reserve(QueueFixture.request(1, "default"));
		assertThat(stored()).isZero();
	}

	@Test
	void generalScriptKeepsTheTracesOfEqualErrors() {
		ReservedJob job = take("a");
		try (QueueFixture general = this.fixture.with(GeneralScripts.of(QueueFixture.manualScripts()))) {
			for (int i = 1; i <= 2; i++) {
				general.queue.settle(List.of(RunEnd.retry(job, Duration.ZERO, "it broke").withStackTrace("trace " + i)),
						null);
				job = take();
			}
		}
		assertThat(this.fixture.store.attempts("a")).extracting(FailedAttempt::stackTrace)
			.containsExactly("trace 2", "trace 1");
		succeed(job);
	}

	@Test
	void equalTracesAreStoredOnce() {
		String trace = "x".repeat(5000);
		ReservedJob job = take("a");
		for (int i = 0; i < 3; i++) {
			this.queue.settle(List.of(RunEnd.retry(job, Duration.ZERO, "it broke").withStackTrace(trace)), null);
			job = take();
		}
		assertThat(this.fixture.store.attempts("a")).hasSize(3)
			.allSatisfy((attempt) -> assertThat(attempt.stackTrace()).isEqualTo(trace));
		assertThat(this.fixture.field("attempts", "a")).hasSizeLessThan(5500);
		succeed(job);
	}

}
