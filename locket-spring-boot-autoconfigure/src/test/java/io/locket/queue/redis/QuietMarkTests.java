package io.locket.queue.redis;

import java.time.Duration;

import io.locket.queue.Violation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the marks of quiet workers in Redis.
 */
class QuietMarkTests {

	private final QueueFixture fixture = QueueFixture.manual();

	@AfterEach
	void close() {
		assertThat(this.fixture.store.verify()).isEmpty();
		this.fixture.close();
	}

	@Test
	void markOfAProcessThatHasEndedIsDeleted() {
		this.fixture.store.quiet("host/1/a");
		this.fixture.advance(Duration.ofMinutes(59));
		this.fixture.reserve(0, "default");
		assertThat(this.fixture.field("state", "i:host/1/a")).isNotNull();
		this.fixture.advance(Duration.ofMinutes(2));
		this.fixture.reserve(0, "default");
		assertThat(this.fixture.field("state", "i:host/1/a")).isNull();
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "i:host/1/a")).isNull();
	}

	@Test
	void quietProcessThatDidNotReachRedisForAnHourStaysQuiet() {
		this.fixture.store.quiet("host/1/a");
		this.fixture.advance(Duration.ofMinutes(61));
		this.fixture.reserve(0, "default");
		assertThat(this.fixture.field("state", "i:host/1/a")).isNull();
		assertThat(this.fixture.queue.refreshQuiet("host/1/a", true)).isTrue();
		assertThat(this.fixture.field("state", "i:host/1/a")).isNotNull();
	}

	@Test
	void resumedProcessLeavesNothingAfterADay() {
		this.fixture.store.quiet("host/1/a");
		this.fixture.store.unquiet("host/1/a");
		this.fixture.advance(Duration.ofHours(23));
		this.fixture.reserve(0, "default");
		assertThat(this.fixture.queue.refreshQuiet("host/1/a", true)).isFalse();
		this.fixture.advance(Duration.ofHours(2));
		this.fixture.reserve(0, "default");
		assertThat(this.fixture.field("state", "i:host/1/a")).isNull();
		assertThat(this.fixture.redis.opsForZSet().score(this.fixture.name("due"), "i:host/1/a")).isNull();
	}

	@Test
	void damagedMarkIsReportedAndDeleted() {
		for (String damaged : new String[] { "", "damaged", "12 ", "-1" }) {
			this.fixture.redis.opsForHash().put(this.fixture.name("state"), "i:host/1/a", damaged);
			assertThat(this.fixture.store.verify()).extracting(Violation::subject).containsExactly("i:host/1/a");
			assertThat(this.fixture.store.repair()).extracting(Violation::repaired).containsExactly(true);
			assertThat(this.fixture.field("state", "i:host/1/a")).isNull();
		}
	}

	@Test
	void markThatIsNeverDeletedIsReportedAndRepaired() {
		this.fixture.store.quiet("host/1/a");
		this.fixture.redis.opsForZSet().remove(this.fixture.name("due"), "i:host/1/a");
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).containsExactly("i:host/1/a");
		this.fixture.store.repair();
		assertThat(this.fixture.queue.refreshQuiet("host/1/a", false)).isTrue();
		this.fixture.redis.opsForZSet().add(this.fixture.name("due"), "i:host/1/a", 1e15);
		assertThat(this.fixture.store.verify()).extracting(Violation::subject).containsExactly("i:host/1/a");
		this.fixture.store.repair();
	}

	@Test
	void processThatIsNotQuietWritesNothingWhenItReadsItsMark() {
		assertThat(this.fixture.queue.refreshQuiet("host/1/a", false)).isFalse();
		assertThat(this.fixture.field("state", "i:host/1/a")).isNull();
		assertThat(this.fixture.redis.hasKey(this.fixture.name("due"))).isFalse();
	}

}
