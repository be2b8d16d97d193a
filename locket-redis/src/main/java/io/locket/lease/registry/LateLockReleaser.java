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
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.heartbeat.PlannedTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.integration.support.locks.LockRegistry;

/**
 * Release of the locks of a registry in Redis that were granted after their callers had
 * received no reply. The owner of such a lock is the registry, so the registry can take
 * it again and unlock it. A free key is left alone. The end of the lease service waits
 * until each lock was released, or until its key was free twice. Thread-safe.
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

	private final LeaseClosing closing;

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance.
	 * @param registry the registry
	 * @param probe the probe that finds locks in Redis
	 * @param held returns whether this process holds the lock of a digest
	 * @param cleanup the scheduler for the releases
	 * @param closing the end of the lease service
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	LateLockReleaser(LockRegistry<?> registry, LockProbe probe, Predicate<String> held,
			ScheduledExecutorService cleanup, LeaseClosing closing, LongSupplier nanoTime) {
		this.registry = registry;
		this.probe = probe;
		this.held = held;
		this.task = new PlannedTask(cleanup, this::run);
		this.closing = closing;
		this.nanoTime = nanoTime;
	}

	/**
	 * Releases the lock of a key as soon as it is granted. Called during an attempt, so
	 * that the service has not ended. If no thread can be started, a lock stays until its
	 * time to live ends.
	 * @param key the key
	 */
	void add(JobKey key) {
		if (!this.closing.replyPending()) {
			return;
		}
		Item item = new Item(key, this.nanoTime.getAsLong() + LATEST.toNanos(), false);
		this.queue.add(item);
		try {
			schedule(Duration.ZERO);
		}
		catch (Error ex) {
			logger.debug("Could not start a thread that releases a late lock of " + key, ex);
			if (this.queue.remove(item)) {
				this.closing.replySettled();
			}
		}
	}

	private void schedule(Duration delay) {
		if (!this.queue.isEmpty()) {
			this.task.planIn(delay);
		}
	}

	private void run() {
		List<Item> again = new ArrayList<>();
		try {
			for (Item item = this.queue.poll(); item != null; item = this.queue.poll()) {
				Item next = (item.notAfter() - this.nanoTime.getAsLong() > 0) ? check(item) : null;
				if (next != null) {
					again.add(next);
				}
				else {
					this.closing.replySettled();
				}
			}
		}
		finally {
			this.queue.addAll(again);
			this.task.done();
			schedule(RETRY);
		}
	}

	/**
	 * Checks a lock, and releases it if it was granted.
	 * @return the item to check next, or {@code null} if there is nothing more to do
	 */
	private @Nullable Item check(Item item) {
		String digest = item.key().digest();
		try {
			if (!this.probe.isSameSpace() || this.held.test(digest)) {
				return null;
			}
			if (this.probe.find(item.key()) != null) {
				return isUnlocked(this.registry.obtain(digest)) ? null : item;
			}
			boolean over = item.seenFree() && this.closing.isClosed();
			return over ? null : new Item(item.key(), item.notAfter(), true);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Could not check for a late lock of " + item.key() + ". The check is repeated", ex);
			return item;
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
	 * @param seenFree whether a check has found the key free
	 */
	private record Item(JobKey key, long notAfter, boolean seenFree) {
	}

}
