package io.locket.lease.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.Lock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.locket.JobKey;
import io.locket.lease.heartbeat.PlannedTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.integration.support.locks.LockRegistry;

/**
 * Release of the locks of a registry in Redis that were granted after their callers had
 * received no reply. The owner of such a lock is the registry, so the registry can take
 * it again and unlock it. A free key is left alone. Thread-safe.
 */
final class LateLockReleaser {

	private static final Log logger = LogFactory.getLog(LateLockReleaser.class);

	private static final Duration RETRY = Duration.ofMillis(200);

	/**
	 * The longest time for which a lock may be granted late.
	 */
	private static final Duration LATEST = Duration.ofMinutes(2);

	private final ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();

	private final PlannedTask task;

	private final LockRegistry<?> registry;

	private final LockProbe probe;

	private final Predicate<String> held;

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance.
	 * @param registry the registry
	 * @param probe the probe that finds locks in Redis
	 * @param held returns whether this process holds the lock of a digest
	 * @param cleanup the scheduler for the releases
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	LateLockReleaser(LockRegistry<?> registry, LockProbe probe, Predicate<String> held,
			ScheduledExecutorService cleanup, LongSupplier nanoTime) {
		this.registry = registry;
		this.probe = probe;
		this.held = held;
		this.task = new PlannedTask(cleanup, this::run);
		this.nanoTime = nanoTime;
	}

	/**
	 * Releases the lock of a key as soon as it is granted.
	 * @param key the key
	 */
	void add(JobKey key) {
		this.queue.add(new Item(key, this.nanoTime.getAsLong() + LATEST.toNanos()));
		schedule(Duration.ZERO);
	}

	private void schedule(Duration delay) {
		if (!this.queue.isEmpty()) {
			this.task.planIn(delay);
		}
	}

	private void run() {
		try {
			List<Item> again = new ArrayList<>();
			for (Item item = this.queue.poll(); item != null; item = this.queue.poll()) {
				if (item.notAfter() - this.nanoTime.getAsLong() > 0 && !isReturned(item.key())) {
					again.add(item);
				}
			}
			this.queue.addAll(again);
		}
		finally {
			this.task.done();
			schedule(RETRY);
		}
	}

	private boolean isReturned(JobKey key) {
		try {
			if (!this.probe.isSameSpace() || this.held.test(key.digest())) {
				return true;
			}
			return this.probe.find(key) != null && isUnlocked(this.registry.obtain(key.digest()));
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Could not check for a late lock of " + key + ". The check is repeated", ex);
			return false;
		}
	}

	private static boolean isUnlocked(Lock lock) {
		if (!lock.tryLock()) {
			return false;
		}
		lock.unlock();
		return true;
	}

	/**
	 * A lock that may be granted late.
	 *
	 * @param key its key
	 * @param notAfter the time after which it is given up, by the monotonic clock
	 */
	private record Item(JobKey key, long notAfter) {
	}

}
