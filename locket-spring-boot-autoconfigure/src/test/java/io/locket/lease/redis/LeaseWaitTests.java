package io.locket.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.locket.LeaseHolder;
import io.locket.LeaseUnavailableException;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.queue.TestJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeaseWait} without a subscription.
 */
class LeaseWaitTests {

	private static final String LOCK = "lock";

	private final LeaseWakeups wakeups = new LeaseWakeups(LeaseFixture.noConnections(), "channel:*");

	private final LeaseWait wait = new LeaseWait(this.wakeups, System::nanoTime);

	@AfterEach
	void close() {
		this.wakeups.close();
	}

	@Test
	void attemptThatFailsPassesItsWakeUpOn() {
		AtomicInteger attempts = new AtomicInteger();
		AtomicInteger woken = new AtomicInteger();
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> this.wait.await(LOCK,
				LeaseRequest.of(TestJob.key("k")).waitingForRelease(Duration.ofMinutes(1)), (others) -> {
					if (attempts.incrementAndGet() == 2) {
						throw new LeaseUnavailableException("refused", null);
					}
					this.wakeups.join(LOCK, woken::incrementAndGet);
					this.wakeups.wakeOne(LOCK);
					return new LeaseAttempt.Refused(LeaseHolder.foreign(), Duration.ofMinutes(1));
				}));
		assertThat(attempts).hasValue(2);
		assertThat(woken).hasValue(1);
	}

}
