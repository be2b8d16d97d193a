package io.locket.schedule.leader;

import java.util.concurrent.CountDownLatch;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Non-daemon thread that only keeps the process alive, as {@code spring.main.keep-alive}
 * does. The working threads are daemons, so that they cannot delay the end of the
 * process. Thread-safe.
 */
final class KeepAlive {

	/**
	 * The name of the thread.
	 */
	static final String THREAD = "locket-keep-alive";

	private static final Log logger = LogFactory.getLog(KeepAlive.class);

	private @Nullable CountDownLatch end;

	/**
	 * Starts to keep the process alive.
	 */
	synchronized void start() {
		if (this.end == null) {
			CountDownLatch latch = new CountDownLatch(1);
			Thread thread = new Thread(() -> await(latch), THREAD);
			thread.setDaemon(false);
			thread.start();
			this.end = latch;
		}
	}

	/**
	 * Stops keeping the process alive.
	 */
	synchronized void stop() {
		if (this.end != null) {
			this.end.countDown();
			this.end = null;
		}
	}

	private static void await(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				logger.debug("An interrupt does not end the process", ex);
			}
		}
	}

}
