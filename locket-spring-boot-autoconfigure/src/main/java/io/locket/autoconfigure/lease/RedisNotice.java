package io.locket.autoconfigure.lease;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.locket.lease.registry.LockProbe;
import io.locket.redis.BackgroundThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Check of Redis after the application is ready, repeated until Redis and the lock
 * registry reply. It logs the problems that it finds. The application does not wait for
 * it. It stops before the connections, whose end is no problem.
 */
final class RedisNotice implements ApplicationListener<ApplicationReadyEvent>, SmartLifecycle {

	/**
	 * The name of the thread that runs the checks.
	 */
	static final String THREAD = "locket-redis-check";

	private static final Log logger = LogFactory.getLog(RedisNotice.class);

	private static final long FIRST_PAUSE = 1000;

	private static final long LONGEST_PAUSE = 30_000;

	private final List<BooleanSupplier> checks;

	private final @Nullable LockProbe probe;

	private boolean ready;

	private boolean running = true;

	/**
	 * The thread that runs the checks until the next stop.
	 */
	private volatile @Nullable Thread thread;

	private volatile boolean warnedOfRedis;

	private volatile boolean warnedOfRegistry;

	/**
	 * Creates a notice.
	 * @param checks return whether Redis replied, and log the problems that they find
	 * @param probe the probe for the locks of the application's registry, or {@code null}
	 * if leases are not such locks
	 */
	RedisNotice(List<BooleanSupplier> checks, @Nullable LockProbe probe) {
		this.checks = List.copyOf(checks);
		this.probe = probe;
	}

	/**
	 * Starts the check, unless the event is that of a child context after its parent.
	 */
	@Override
	public synchronized void onApplicationEvent(ApplicationReadyEvent event) {
		if (!this.ready) {
			this.ready = true;
			startThread();
		}
	}

	private void startThread() {
		Thread started = new Thread(this::run, THREAD);
		started.setDaemon(true);
		this.thread = started;
		started.start();
	}

	private void run() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE, 2);
		backOff.setMaxInterval(LONGEST_PAUSE);
		BackOffExecution pauses = backOff.start();
		while (!isStopped() && !(isRedisChecked() && isRegistryLocated())) {
			if (!isStopped()) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
			}
		}
	}

	private boolean isStopped() {
		return this.thread != Thread.currentThread();
	}

	private boolean isRedisChecked() {
		boolean checked = this.checks.stream().allMatch((check) -> isStopped() || check.getAsBoolean());
		if (!checked && !this.warnedOfRedis && !isStopped()) {
			logger.warn("Redis does not respond. The application has started all the same, and its calls of Locket"
					+ " fail until Redis responds. Check spring.data.redis.*");
			this.warnedOfRedis = true;
		}
		return checked;
	}

	private boolean isRegistryLocated() {
		if (this.probe == null || isStopped()) {
			return true;
		}
		try {
			this.probe.isSameSpace();
			return true;
		}
		catch (RuntimeException ex) {
			String message = "Could not determine where " + this.probe.registryName()
					+ " keeps its locks. The check is repeated. Check its store: " + ex;
			if (this.warnedOfRegistry || isStopped()) {
				logger.debug(message);
			}
			else {
				logger.warn(message);
				this.warnedOfRegistry = true;
			}
			return false;
		}
	}

	/**
	 * Repeats the check after a stop. The first check starts when the application is
	 * ready.
	 */
	@Override
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			if (this.ready) {
				startThread();
			}
		}
	}

	/**
	 * Ends the check. Waits a short time for one that is running.
	 */
	@Override
	public void stop() {
		Thread stopped;
		synchronized (this) {
			this.running = false;
			stopped = this.thread;
			this.thread = null;
		}
		BackgroundThreads.awaitEnd(stopped);
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

}
