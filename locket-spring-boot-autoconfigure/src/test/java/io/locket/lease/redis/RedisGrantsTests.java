package io.locket.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobKey;
import io.locket.LeaseUnavailableException;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.redis.LeaseScripts.Waiting;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link RedisGrants} on a real Redis, with manual time in this process.
 */
class RedisGrantsTests {

	private static final Duration DURATION = Duration.ofSeconds(35);

	private final LeaseFixture fixture = LeaseFixture.create();

	private final LeaseScripts scripts = spy(this.fixture.scripts);

	private final ManualScheduler time = new ManualScheduler();

	private final AtomicInteger ended = new AtomicInteger();

	private final LeaseClosing closing = new LeaseClosing(this.ended::incrementAndGet);

	private final RedisGrants grants = new RedisGrants(
			new PendingReleases(this.scripts, this.time, this.closing, this.time::nanoTime), null, "test/1/a");

	@AfterEach
	void close() {
		this.fixture.close();
	}

	/**
	 * As a full Redis does for each acquire.
	 */
	@Test
	void acquireThatRedisRefusesIsReleasedOnce() {
		JobKey key = this.fixture.key("x");
		this.fixture.redis.opsForList().leftPush(this.fixture.keys.fence(), "no fence");
		PendingRelease pending = PendingRelease.of(this.fixture.keys.lock(key.digest()), "token", key.digest());
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.grants.request(key, pending, DURATION,
					() -> this.scripts.acquire(key, "token", DURATION, "{}", Waiting.NONE)))
			.withMessageContaining("Redis refused to: grant the lease of");
		this.time.advance(Duration.ofMinutes(1));
		verify(this.scripts, times(1)).release(any());
		assertThat(this.time.size()).isZero();
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

	@Test
	void grantIsReleasedAfterAnError() {
		JobKey key = this.fixture.key("x");
		PendingRelease pending = PendingRelease.of(this.fixture.keys.lock(key.digest()), "token", key.digest());
		Error error = new StackOverflowError("for a test");
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> this.grants.request(key, pending, DURATION, () -> {
				grant(key);
				throw error;
			}));
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(key)).isNull();
		grant(key);
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> this.grants.complete(key, pending, DURATION, (granted) -> {
				throw error;
			}));
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(key)).isNull();
	}

	private void grant(JobKey key) {
		this.scripts.acquire(key, "token", DURATION, "{}", Waiting.NONE);
		assertThat(this.fixture.owner(key)).isNotNull();
	}

}
