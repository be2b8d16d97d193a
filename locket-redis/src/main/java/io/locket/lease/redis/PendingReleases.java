package io.locket.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.heartbeat.PlannedTask;
import io.locket.lease.heartbeat.StoreHang;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Background cleanup of calls without a reply: acquires that may have been granted, and
 * releases that may not have arrived.
 * <p>
 * Each release is repeated until the store replies. The release of an acquire without a
 * reply may overtake that acquire over another connection. It is therefore repeated every
 * half a second until it has found the lease, or until a lease taken at the first reply
 * has expired. Thread-safe.
 */
final class PendingReleases {

	private static final Log logger = LogFactory.getLog(PendingReleases.class);

	private static final Duration RETRY = Duration.ofMillis(100);

	private static final Duration REPEAT = Duration.ofMillis(500);

	/**
	 * Maximum time for which an acquire is under way after the store has replied to
	 * another command.
	 */
	private static final Duration LATEST = Duration.ofMinutes(2);

	private final ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();

	private final PlannedTask task;

	private final LeaseScripts scripts;

	private final LeaseClosing closing;

	private final LongSupplier nanoTime;

	private volatile boolean hanging;

	PendingReleases(LeaseScripts scripts, ScheduledExecutorService cleanup, LeaseClosing closing,
			LongSupplier nanoTime) {
		this.scripts = scripts;
		this.task = new PlannedTask(cleanup, this::run);
		this.closing = closing;
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a lease to release. A claim may be released after the connections were closed,
	 * which do not wait for it.
	 * @param pending the lease
	 * @param expiry the time after which the key has expired by itself
	 * @param mayBeGranted whether the lease may still be granted, because the acquire had
	 * no reply
	 */
	void add(PendingRelease pending, Duration expiry, boolean mayBeGranted) {
		if (!this.closing.replyPending()) {
			logger.warn("Could not release " + pending.lock() + ", because the connections to Redis are closed."
					+ " Its key stays held until it expires, or is released by force");
			return;
		}
		long latest = mayBeGranted ? LATEST.toNanos() : RETRY.toNanos();
		this.queue.add(new Item(pending, expiry.toNanos(), this.nanoTime.getAsLong() + expiry.toNanos() + latest,
				mayBeGranted, false));
		schedule(Duration.ZERO);
	}

	/**
	 * Records a failed call.
	 * @param sentAt the time at which it was sent, by the monotonic clock
	 */
	void failed(long sentAt) {
		this.hanging = StoreHang.isShownBy(this.nanoTime.getAsLong() - sentAt);
	}

	/**
	 * Returns whether the last release ran into its timeout. Further releases are then
	 * added here at once, so that each of them does not wait for a timeout of its own.
	 */
	boolean isHanging() {
		return this.hanging;
	}

	private void schedule(Duration delay) {
		if (!this.queue.isEmpty()) {
			this.task.planIn(delay);
		}
	}

	private void run() {
		boolean replied = false;
		try {
			replied = sendAll();
		}
		catch (Throwable ex) {
			logger.error("Releasing leases failed unexpectedly and is repeated. Report this as a bug", ex);
		}
		finally {
			this.task.done();
			schedule(replied ? REPEAT : RETRY);
		}
	}

	private boolean sendAll() {
		List<Item> again = new ArrayList<>();
		try {
			for (Item item = this.queue.poll(); item != null; item = this.queue.poll()) {
				if (item.notAfter() - this.nanoTime.getAsLong() <= 0) {
					this.closing.replySettled();
				}
				else if (!send(item, again)) {
					return false;
				}
			}
			// Also if all have expired, so that no later one shows that the store
			// replies.
			this.hanging = false;
			return true;
		}
		finally {
			this.queue.addAll(again);
		}
	}

	private boolean send(Item item, List<Item> again) {
		Release reply;
		long sentAt = this.nanoTime.getAsLong();
		try {
			reply = this.scripts.release(item.pending());
			this.hanging = false;
		}
		catch (RuntimeException ex) {
			failed(sentAt);
			logger.debug("Could not release " + item.pending().lock() + ". It is repeated until the lease has expired",
					ex);
			again.add(item);
			return false;
		}
		catch (Error ex) {
			again.add(item);
			throw ex;
		}
		if (reply == Release.RELEASED || !item.mayBeGranted() || (item.repeated() && this.closing.isClosed())) {
			this.closing.replySettled();
		}
		else {
			again.add(item.repliedAt(this.nanoTime.getAsLong()));
		}
		return true;
	}

	/**
	 * A lease to release.
	 *
	 * @param pending the lease
	 * @param expiry the time after which the lease expires by itself, in nanoseconds
	 * @param notAfter the time at which to give up
	 * @param mayBeGranted whether the lease may still be granted
	 * @param repeated whether the store has replied to an earlier release
	 */
	private record Item(PendingRelease pending, long expiry, long notAfter, boolean mayBeGranted, boolean repeated) {

		Item repliedAt(long now) {
			long last = this.repeated ? this.notAfter : now + Math.min(this.expiry, LATEST.toNanos());
			return new Item(this.pending, this.expiry, last, this.mayBeGranted, true);
		}

	}

	/**
	 * Lease to release, or acquire that may have been granted.
	 *
	 * @param lock the name of the lock or claim
	 * @param token the token
	 * @param digest the digest of the key, or empty for a claim
	 * @param holdUntil the end of the minimum hold, in ms by the clock of Redis, or
	 * {@code 0}
	 * @param holdFor the longest possible rest of the minimum hold, in ms, whatever the
	 * clock
	 * @param listed whether the index may have an entry of the lease
	 */
	record PendingRelease(String lock, String token, String digest, long holdUntil, long holdFor, boolean listed) {

		static PendingRelease of(String lock, String token, String digest) {
			return new PendingRelease(lock, token, digest, 0, 0, false);
		}

		boolean isClaim() {
			return this.digest.isEmpty();
		}

	}

	/**
	 * Result of a release.
	 */
	enum Release {

		/**
		 * The token owned the key, which is free now or keeps the rest of its minimum
		 * hold.
		 */
		RELEASED,

		/**
		 * Another token owns the key.
		 */
		TAKEN,

		/**
		 * The key no longer exists.
		 */
		GONE;

		/**
		 * Returns the result for a reply of {@code release.lua}, without the information
		 * about subscribers.
		 */
		static Release of(int reply) {
			return switch (reply) {
				case 1 -> RELEASED;
				case 0 -> TAKEN;
				default -> GONE;
			};
		}

	}

}
