package io.locket.lease.redis;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaseWakeups}.
 */
class LeaseWakeupsTests {

	private static final String LOCK = "lock";

	private final LeaseWakeups wakeups = new LeaseWakeups(mock(RedisConnectionFactory.class, RETURNS_DEEP_STUBS),
			"channels:*");

	@AfterEach
	void close() {
		this.wakeups.close();
	}

	@Test
	void waiterThatHasLeftStillHasOthers() {
		LeaseWakeups.Waiter first = this.wakeups.join(LOCK);
		assertThat(first.hasOthers()).isFalse();
		LeaseWakeups.Waiter second = this.wakeups.join(LOCK);
		assertThat(first.hasOthers()).isTrue();
		first.close();
		assertThat(first.hasOthers()).isTrue();
		assertThat(second.hasOthers()).isFalse();
		second.close();
		assertThat(first.hasOthers()).isFalse();
	}

	/**
	 * Checks a wait that is cancelled on another thread while its attempt begins.
	 */
	@Test
	void wakeUpIsPassedOnWhenItIsConsumedDuringTheClose() throws Exception {
		CyclicBarrier together = new CyclicBarrier(2);
		for (int round = 0; round < 2000; round++) {
			LeaseWakeups.Waiter first = this.wakeups.join(LOCK);
			LeaseWakeups.Waiter second = this.wakeups.join(LOCK);
			this.wakeups.wakeOne(LOCK);
			Thread attempt = new Thread(() -> {
				await(together);
				first.consume();
			});
			attempt.start();
			await(together);
			first.close();
			attempt.join();
			assertThat(second.isWoken()).as("round " + round).isTrue();
			second.close();
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (InterruptedException | BrokenBarrierException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
