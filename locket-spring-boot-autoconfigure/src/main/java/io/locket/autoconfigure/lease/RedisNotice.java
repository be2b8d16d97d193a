package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Check of Redis after the application is ready, repeated until Redis replies. It logs
 * the problems that it finds. The application does not wait for it.
 */
final class RedisNotice implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {

	private static final Log logger = LogFactory.getLog(RedisNotice.class);

	private static final long FIRST_PAUSE = 1000;

	private static final long LONGEST_PAUSE = 30_000;

	/**
	 * Maximum time for which a check that is running delays the end of the application.
	 */
	private static final long CLOSE_MILLIS = 500;

	private final List<BooleanSupplier> checks;

	private volatile @Nullable Thread thread;

	private volatile boolean closed;

	/**
	 * Creates a notice.
	 * @param checks return whether Redis replied, and log the problems that they find
	 */
	RedisNotice(List<BooleanSupplier> checks) {
		this.checks = List.copyOf(checks);
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Thread started = new Thread(this::run, "locket-redis-check");
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private void run() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE, 2);
		backOff.setMaxInterval(LONGEST_PAUSE);
		BackOffExecution pauses = backOff.start();
		boolean warned = false;
		while (!this.closed && !this.checks.stream().allMatch(BooleanSupplier::getAsBoolean)) {
			if (!warned && !this.closed) {
				logger.warn("Redis does not respond. The application has started all the same, and its calls of Locket"
						+ " fail until Redis responds. Check spring.data.redis.*");
				warned = true;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
		}
	}

	/**
	 * Ends the check. Waits a short time for one that is running, because the driver logs
	 * an error if the connections are closed meanwhile.
	 */
	@Override
	public void destroy() {
		this.closed = true;
		Thread running = this.thread;
		if (running == null) {
			return;
		}
		LockSupport.unpark(running);
		try {
			running.join(CLOSE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
