package io.locket.redis;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BackgroundThreads}.
 */
class BackgroundThreadsTests {

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * Thread of a driver that does not return.
	 */
	private final Thread hanging = new Thread(() -> {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	});

	@AfterEach
	void end() throws InterruptedException {
		this.end.countDown();
		this.hanging.join();
	}

	@Test
	void pauseOfAThreadEnds() {
		AtomicBoolean closed = new AtomicBoolean();
		Thread pausing = new Thread(() -> {
			while (!closed.get()) {
				LockSupport.park();
			}
		});
		pausing.start();
		closed.set(true);
		BackgroundThreads.awaitEnd(pausing);
		assertThat(pausing.isAlive()).isFalse();
	}

	@Test
	void threadThatHangsIsNotAwaitedForLong() {
		this.hanging.start();
		BackgroundThreads.awaitEnd(this.hanging);
		assertThat(this.hanging.isAlive()).isTrue();
	}

	@Test
	void interruptedCallerDoesNotWaitAndStaysInterrupted() {
		this.hanging.start();
		Thread.currentThread().interrupt();
		BackgroundThreads.awaitEnd(this.hanging);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.hanging.isAlive()).isTrue();
	}

	@Test
	void thereMayBeNoThreadOrOnlyTheCallingOne() {
		BackgroundThreads.awaitEnd(null);
		BackgroundThreads.awaitEnd(Thread.currentThread());
		assertThat(Thread.interrupted()).isFalse();
	}

}
