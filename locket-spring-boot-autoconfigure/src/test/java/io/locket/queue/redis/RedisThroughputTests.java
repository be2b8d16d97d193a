package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.LockStrategy;
import io.locket.queue.ThroughputSample;
import io.locket.queue.spi.RunEnd;
import io.locket.testing.CommandCounter;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the counts per minute in Redis.
 */
class RedisThroughputTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final QueueFixture fixture = QueueFixture.manual();

	private int jobs;

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	private void enqueue() {
		this.fixture.queue.enqueue(QueueFixture.job("job" + this.jobs++, LockStrategy.NONE));
	}

	private void minute() {
		this.fixture.advance(MINUTE);
		this.fixture.queue.countMinute();
	}

	private List<Long> accepted() {
		return this.fixture.store.throughput(ThroughputSample.KEPT_MINUTES)
			.stream()
			.map((sample) -> sample.total().accepted())
			.toList();
	}

	@Test
	void clockThatRunsBackFarLosesAndDoublesNothing() {
		this.fixture.queue.countMinute();
		enqueue();
		minute();
		this.fixture.advance(MINUTE.multipliedBy(-30));
		enqueue();
		this.fixture.queue.countMinute();
		assertThat(accepted()).isEmpty();
		enqueue();
		minute();
		assertThat(accepted()).containsExactly(2L);
		assertThat(this.fixture.store.throughput(1).get(0).from())
			.isEqualTo(this.fixture.store.throughput(1).get(0).to().minus(MINUTE));
	}

	@Test
	void clockThatStepsBackALittleStoresNothing() {
		this.fixture.queue.countMinute();
		enqueue();
		minute();
		this.fixture.advance(Duration.ofSeconds(-59));
		enqueue();
		this.fixture.queue.countMinute();
		this.fixture.advance(Duration.ofSeconds(59));
		assertThat(accepted()).containsExactly(1L);
		minute();
		assertThat(accepted()).containsExactly(1L, 1L);
	}

	@Test
	void emptyStoreBeginsAnew() {
		this.fixture.queue.countMinute();
		enqueue();
		minute();
		this.fixture.redis.delete(List.of(this.fixture.name("minutes"), this.fixture.name("state"),
				this.fixture.name("jobs"), this.fixture.name("queues"), this.fixture.name("ready:default"),
				this.fixture.name("ready:default 0")));
		this.fixture.queue.countMinute();
		assertThat(accepted()).isEmpty();
		enqueue();
		minute();
		assertThat(accepted()).containsExactly(1L);
	}

	@Test
	void damagedCountsBeginAnew() {
		for (byte[] damaged : List.of(new byte[0], new byte[] { 0 }, new byte[] { 1, 2, 3 },
				"damaged".getBytes(StandardCharsets.UTF_8))) {
			this.fixture.field("minutes", "last", damaged);
			enqueue();
			this.fixture.queue.countMinute();
			enqueue();
			minute();
			assertThat(accepted()).last().isEqualTo(1L);
		}
	}

	@Test
	void damagedSampleIsLeftOut() {
		this.fixture.queue.countMinute();
		enqueue();
		minute();
		enqueue();
		minute();
		String slot = Long.toString(this.fixture.now() / MINUTE.toMillis() % ThroughputSample.KEPT_MINUTES);
		this.fixture.field("minutes", slot, new byte[] { 1, 2, 3 });
		assertThat(accepted()).containsExactly(1L);
		this.fixture.field("minutes", slot, new byte[] { 2 });
		assertThat(accepted()).containsExactly(1L);
	}

	@Test
	void countsOfALaterVersionStay() {
		byte[] later = { 2, 42 };
		this.fixture.field("minutes", "last", later);
		minute();
		assertThat(this.fixture.field("minutes", "last")).isEqualTo(later);
		assertThat(accepted()).isEmpty();
	}

	@Test
	void damagedCountersOfAQueueCountAsUnchanged() {
		enqueue();
		this.fixture.queue.countMinute();
		byte[] counters = this.fixture.field("state", "q:default");
		this.fixture.field("state", "q:default", new byte[] { 1, 2 });
		minute();
		this.fixture.field("state", "q:default", counters);
		enqueue();
		minute();
		assertThat(accepted()).containsExactly(0L, 1L);
	}

	@Test
	void damagedNumberOfFailedAttemptsBeginsAnew() {
		this.fixture.redis.opsForHash().put(this.fixture.name("state"), "f:default", "damaged");
		enqueue();
		this.fixture.queue.countMinute();
		this.fixture.queue.settle(List
			.of(RunEnd.retry(this.fixture.reserve(1, "default").jobs().get(0), Duration.ofHours(1), "it broke")), null);
		minute();
		assertThat(this.fixture.store.throughput(1).get(0).total().failedAttempts()).isEqualTo(1);
	}

	@Test
	void numberOfFailedAttemptsGoesWithTheCountersOfItsQueue() {
		enqueue();
		this.fixture.queue.settle(List
			.of(RunEnd.retry(this.fixture.reserve(1, "default").jobs().get(0), Duration.ofHours(1), "it broke")), null);
		assertThat(this.fixture.field("state", "f:default")).isNotNull();
		this.fixture.store.remove("default");
		this.fixture.advance(Duration.ofMinutes(61));
		this.fixture.reserve(0, "other");
		assertThat(this.fixture.field("state", "q:default")).isNull();
		assertThat(this.fixture.field("state", "f:default")).isNull();
	}

	@Test
	void fieldsAreBounded() {
		this.fixture.queue.countMinute();
		for (int i = 0; i < ThroughputSample.KEPT_MINUTES + 30; i++) {
			minute();
		}
		assertThat(this.fixture.redis.opsForHash().size(this.fixture.name("minutes")))
			.isEqualTo(ThroughputSample.KEPT_MINUTES + 1);
	}

	@Test
	void fleetStoresTheCountsOfAMinuteOnce() {
		RedisServer server = RedisServer.shared();
		this.fixture.queue.countMinute();
		this.fixture.advance(MINUTE);
		IntStream.range(0, 5).forEach((i) -> enqueue());
		try (CommandCounter counter = CommandCounter.on(server)) {
			IntStream.range(0, 10).forEach((process) -> this.fixture.queue.countMinute());
			assertThat(counter.innerCommands()).filteredOn("HSET"::equalsIgnoreCase).hasSize(1);
		}
		assertThat(accepted()).containsExactly(5L);
	}

}
