package io.locket.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.JobKey;
import io.locket.lease.ManualScheduler;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.redis.PendingReleases.PendingRelease;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.spy;

/**
 * Tests for {@link PendingReleases} on a real Redis, with manual time in this process.
 */
@ExtendWith(OutputCaptureExtension.class)
class PendingReleasesTests {

	private final LeaseFixture fixture = LeaseFixture.create();

	private final ManualScheduler time = new ManualScheduler();

	private final AtomicInteger ended = new AtomicInteger();

	private final LeaseClosing closing = new LeaseClosing(this.ended::incrementAndGet);

	private final PendingReleases releases = new PendingReleases(this.fixture.scripts, this.time, this.closing,
			this.time::nanoTime);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	/**
	 * Threads are short, as they may be in an outage.
	 */
	@Test
	void releaseThatCannotBeScheduledIsMadeWithTheNextOne() {
		JobKey first = hold("first");
		JobKey second = hold("second");
		this.time.refuse(1);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> release(first));
		release(second);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(first)).isNull();
		assertThat(this.fixture.owner(second)).isNull();
		assertThat(this.time.size()).isZero();
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

	@Test
	void releaseThatFailsWithAnErrorIsRepeated() {
		LeaseScripts failing = spy(this.fixture.scripts);
		willThrow(new StackOverflowError()).willCallRealMethod().given(failing).release(any());
		PendingReleases unlucky = new PendingReleases(failing, this.time, this.closing, this.time::nanoTime);
		JobKey key = hold("first");
		unlucky.add(pending(key), Duration.ofSeconds(35), false);
		this.closing.close();
		this.time.advance(Duration.ZERO);
		assertThat(this.ended).hasValue(0);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.fixture.owner(key)).isNull();
		Awaitility.await().untilAsserted(() -> assertThat(this.ended).hasValue(1));
	}

	/**
	 * A release that only counts as hanging would return before its key is free.
	 */
	@Test
	void storeNoLongerHangsOrDelaysTheEndWhenTheReleasesOfAnOutageHaveExpired() {
		LeaseScripts silent = spy(this.fixture.scripts);
		willAnswer((call) -> {
			this.time.hold(Duration.ofSeconds(2));
			throw new IllegalStateException("no reply");
		}).given(silent).release(any());
		PendingReleases outage = new PendingReleases(silent, this.time, this.closing, this.time::nanoTime);
		outage.add(pending(hold("first")), Duration.ofSeconds(5), false);
		this.time.advance(Duration.ofSeconds(3));
		assertThat(outage.isHanging()).isTrue();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.time.size()).isZero();
		assertThat(outage.isHanging()).isFalse();
		this.closing.close();
		assertThat(this.ended).hasValue(1);
	}

	@Test
	void releaseAfterTheEndIsLogged(CapturedOutput output) {
		JobKey key = hold("first");
		this.closing.close();
		release(key);
		assertThat(output).containsOnlyOnce("Could not release " + this.fixture.keys.lock(key.digest()));
		assertThat(this.time.size()).isZero();
	}

	private JobKey hold(String name) {
		JobKey key = this.fixture.key(name);
		this.fixture.redis.opsForValue().set(this.fixture.keys.lock(key.digest()), "token 1 2 {}");
		return key;
	}

	private void release(JobKey key) {
		this.releases.add(pending(key), Duration.ofSeconds(35), false);
	}

	private PendingRelease pending(JobKey key) {
		return PendingRelease.of(this.fixture.keys.lock(key.digest()), "token", key.digest());
	}

}
