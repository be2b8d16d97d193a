package io.locket.lease.memory;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.locket.LeaseLossCause;
import org.jspecify.annotations.Nullable;

/**
 * What leases and queues in memory share: the time, the fence, and who has which key. A
 * lease service and a queue on one space exclude one another as they do in Redis.
 * <p>
 * Everything happens in {@link #atomically(Supplier) steps}, one at a time, and time
 * stands still within a step. All methods but {@code atomically} and the listeners belong
 * inside one. Thread-safe.
 */
public final class LockSpace {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final Clock clock;

	private final ReentrantLock monitor = new ReentrantLock();

	private final Condition changed = this.monitor.newCondition();

	private final Map<String, KeyLock> locks = new HashMap<>();

	private final Map<String, KeyLock> claims = new HashMap<>();

	private final List<LossListener> lossListeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> freeListeners = new CopyOnWriteArrayList<>();

	private List<Runnable> afterwards = new ArrayList<>();

	private long now;

	private long fence;

	/**
	 * Create a space where nothing is locked.
	 * @param clock tells the time
	 */
	public LockSpace(Clock clock) {
		this.clock = clock;
		this.now = clock.millis();
	}

	/**
	 * Do something in one step. A step within a step is a part of it.
	 * @param <T> the type of the answer
	 * @param step what to do; it must not block
	 * @return the answer
	 */
	public <T extends @Nullable Object> T atomically(Supplier<T> step) {
		this.monitor.lock();
		try {
			if (this.monitor.getHoldCount() == 1) {
				this.now = this.clock.millis();
			}
			return step.get();
		}
		finally {
			leave();
		}
	}

	/**
	 * Whoever ends a step tells of it, after the next one may have begun.
	 */
	private void leave() {
		List<Runnable> actions = List.of();
		if (this.monitor.getHoldCount() == 1) {
			actions = this.afterwards;
			this.afterwards = new ArrayList<>();
			this.changed.signalAll();
		}
		this.monitor.unlock();
		actions.forEach(Runnable::run);
	}

	/**
	 * Repeat a step until it has an answer or the time is up, by the system's clock or by
	 * that of the space: as soon as something has changed, and after some time.
	 * @param <T> the type of the answer
	 * @param step returns the answer, or {@code null} for none yet
	 * @param wait for how long to wait
	 * @param nanoTime the monotonic clock of the system, in nanoseconds
	 * @return the answer, or {@code null} if there was none in time
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	<T> @Nullable T await(Supplier<@Nullable T> step, Duration wait, LongSupplier nanoTime)
			throws InterruptedException {
		long deadline = nanoTime.getAsLong() + wait.toNanos();
		this.monitor.lockInterruptibly();
		try {
			long until = this.clock.millis() + wait.toMillis();
			while (true) {
				this.now = this.clock.millis();
				T answer = step.get();
				long left = deadline - nanoTime.getAsLong();
				if (answer != null || left <= 0 || this.now > until) {
					return answer;
				}
				this.changed.awaitNanos(Math.min(left, POLL_NANOS));
			}
		}
		finally {
			leave();
		}
	}

	/**
	 * Return the time of this step.
	 * @return the time, in milliseconds
	 */
	public long now() {
		return this.now;
	}

	/**
	 * Do something after the step, on the thread that ends it.
	 * @param action what to do
	 */
	public void afterwards(Runnable action) {
		this.afterwards.add(action);
	}

	/**
	 * Move the fence.
	 * @return the next fencing token
	 */
	public long nextFence() {
		this.fence = Math.max(this.fence + 1, this.now * 1000);
		return this.fence;
	}

	/**
	 * Return who has a key.
	 * @param digest the digest of the key
	 * @return the lock, or {@code null} if the key is free
	 */
	public @Nullable KeyLock lock(String digest) {
		return valid(this.locks.get(digest));
	}

	/**
	 * Return who has claimed a key.
	 * @param digest the digest of the key
	 * @return the claim, or {@code null} if there is none
	 */
	public @Nullable KeyLock claim(String digest) {
		return valid(this.claims.get(digest));
	}

	private @Nullable KeyLock valid(@Nullable KeyLock lock) {
		KeyLock current = (lock != null) ? lock.asOf(this.now) : null;
		return (current != null && current.expiresAt() > this.now) ? current : null;
	}

	/**
	 * Return the locks whose holders left a record, the one that expires first first.
	 * @return the locks by the digests of their keys
	 */
	List<Map.Entry<String, KeyLock>> locks() {
		return this.locks.keySet()
			.stream()
			.flatMap((digest) -> Stream.ofNullable(lock(digest)).map((lock) -> Map.entry(digest, lock)))
			.filter((entry) -> entry.getValue().key() != null)
			.sorted(Comparator.comparingLong((entry) -> entry.getValue().expiresAt()))
			.toList();
	}

	/**
	 * Give a key to somebody. Another one who has it loses it.
	 * @param digest the digest of the key
	 * @param lock the lock
	 */
	public void put(String digest, KeyLock lock) {
		KeyLock previous = lock(digest);
		this.locks.put(digest, lock);
		if (previous != null && !previous.owner().equals(lock.owner())) {
			tellLoss(previous, LeaseLossCause.TAKEN);
		}
	}

	/**
	 * Claim a key.
	 * @param digest the digest of the key
	 * @param claim the claim
	 */
	public void putClaim(String digest, KeyLock claim) {
		this.claims.put(digest, claim);
	}

	/**
	 * Take a key from whoever has it.
	 * @param digest the digest of the key
	 */
	public void evict(String digest) {
		KeyLock evicted = lock(digest);
		if (evicted != null) {
			tellLoss(evicted, LeaseLossCause.GONE);
		}
		free(digest);
	}

	/**
	 * Give a key back, unless somebody else has it.
	 * @param digest the digest of the key
	 * @param owner the token of the owner
	 * @param heldUntil until when the key stays taken all the same
	 * @return {@code false} if the owner had lost it
	 */
	public boolean release(String digest, String owner, long heldUntil) {
		KeyLock lock = lock(digest);
		if (lock == null || !lock.owner().equals(owner)) {
			return false;
		}
		if (heldUntil > this.now) {
			this.locks.put(digest, lock.restUntil(heldUntil));
		}
		else {
			free(digest);
		}
		return true;
	}

	private void free(String digest) {
		this.locks.remove(digest);
		this.freeListeners.forEach(this::afterwards);
	}

	/**
	 * Forget what a queued job has left: the rest of a minimum hold, and its claim.
	 * @param digest the digest of its key
	 * @param job the id of the job
	 */
	public void forget(String digest, String job) {
		KeyLock lock = lock(digest);
		if (lock != null && job.equals(lock.job())) {
			free(digest);
		}
		KeyLock claim = claim(digest);
		if (claim != null && job.equals(claim.job())) {
			this.claims.remove(digest);
		}
	}

	/**
	 * Forget every lock and claim, and tell those who have one. The fence stays.
	 */
	public void clear() {
		List.copyOf(this.locks.keySet()).forEach(this::evict);
		this.claims.clear();
	}

	private void tellLoss(KeyLock lock, LeaseLossCause cause) {
		this.lossListeners.forEach((listener) -> afterwards(() -> listener.onLost(lock, cause)));
	}

	/**
	 * Have something done after each step that frees a key.
	 * @param listener what to do
	 */
	public void onFree(Runnable listener) {
		this.freeListeners.add(listener);
	}

	void onLoss(LossListener listener) {
		this.lossListeners.add(listener);
	}

	/**
	 * Is told that somebody has lost a key.
	 */
	interface LossListener {

		void onLost(KeyLock lock, LeaseLossCause cause);

	}

}
