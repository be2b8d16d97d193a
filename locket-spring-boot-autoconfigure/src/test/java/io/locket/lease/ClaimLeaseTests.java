package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.queue.TestJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClaimLease}.
 */
class ClaimLeaseTests {

	private final AtomicReference<Duration> left = new AtomicReference<>(Duration.ofSeconds(1));

	private final AtomicInteger released = new AtomicInteger();

	private final ClaimLease claim = new ClaimLease(TestJob.key("k"), 7, Instant.EPOCH, this.left::get,
			this.released::incrementAndGet);

	@Test
	void claimIsHeldForItsPeriodWhetherOrNotItIsClosed() {
		this.claim.close();
		assertThat(this.released).hasValue(0);
		assertThat(this.claim.isHeld()).isTrue();
		assertThat(this.claim.remaining()).isEqualTo(Duration.ofSeconds(1));
		assertThat(this.claim.renew()).isFalse();
		this.left.set(Duration.ZERO);
		assertThat(this.claim.isHeld()).isFalse();
	}

	@Test
	void endOfThePeriodIsNoLoss() {
		this.claim.onLost(() -> {
			throw new IllegalStateException("lost");
		});
		this.left.set(Duration.ofSeconds(-1));
		assertThat(this.claim.remaining()).isZero();
		assertThat(this.claim.lossCause()).isNull();
		this.claim.ensureHeld();
	}

}
