package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.locket.redis.BackgroundThreads;
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

	/**
	 * The name of the thread that runs the checks.
	 */
	static final String THREAD = "locket-redis-check";

	private static final Log logger = LogFactory.getLog(RedisNotice.class);

	private static final long FIRST_PAUSE = 1000;

	private static final long LONGEST_PAUSE = 30_000;

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

	/**
	 * Starts the check, unless the event is that of a child context after its parent.
	 */
	@Override
	public synchronized void onApplicationEvent(ApplicationReadyEvent event) {
		if (this.thread != null) {
			return;
		}
		Thread started = new Thread(this::run, THREAD);
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private void run() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE, 2);
		backOff.setMaxInterval(LONGEST_PAUSE);
		BackOffExecution pauses = backOff.start();
		boolean warned = false;
		while (!this.closed && !this.checks.stream().allMatch((check) -> this.closed || check.getAsBoolean())) {
			if (!warned && !this.closed) {
				logger.warn("Redis does not respond. The application has started all the same, and its calls of Locket"
						+ " fail until Redis responds. Check spring.data.redis.*");
				warned = true;
			}
			if (!this.closed) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
			}
		}
	}

	/**
	 * Ends the check. Waits a short time for one that is running.
	 */
	@Override
	public void destroy() {
		this.closed = true;
		BackgroundThreads.awaitEnd(this.thread);
	}

}
