package io.locket.worker.reservation;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallBackoff}.
 */
class CallBackoffTests {

	private final BackOff backOff = CallBackoff.upTo(Duration.ofSeconds(2));

	@Test
	void pausesDoubleUpToTheLongestAndAreSpreadByHalf() {
		for (int execution = 0; execution < 100; execution++) {
			BackOffExecution pauses = this.backOff.start();
			for (long middle : new long[] { 100, 200, 400, 800, 1600, 2000, 2000 }) {
				assertThat(pauses.nextBackOff()).isBetween(Math.max(100, middle / 2), Math.min(2000, middle * 3 / 2));
			}
		}
	}

	@Test
	void pausesNeverEnd() {
		BackOffExecution pauses = this.backOff.start();
		for (int failures = 0; failures < 10_000; failures++) {
			assertThat(pauses.nextBackOff()).isPositive();
		}
	}

}
