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
 * State that leases and queues in memory share: the time, the fence, and the locks of
 * keys. A lease service and a queue on one space exclude one another as they do in Redis.
 * <p>
 * Everything happens in {@link #atomically(Supplier) steps}, one at a time. Time stands
 * still within a step. All methods except {@code atomically} and the registration of
 * listeners must be called inside a step. Thread-safe.
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
	 * Creates a space without locks.
	 * @param clock the clock
	 */
	public LockSpace(Clock clock) {
		this.clock = clock;
		this.now = clock.millis();
	}

	/**
	 * Executes a step. A step within a step is a part of it.
	 * @param <T> the type of the result
	 * @param step the step, which must not block
	 * @return its result
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
	 * Ends a step and runs the actions registered for its end, possibly after the next
	 * step has begun.
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
	 * Repeats a step until it has a result or the time is up, by the system's clock or by
	 * that of the space. It is repeated after each change, and from time to time.
	 * @param <T> the type of the result
	 * @param step returns the result, or {@code null} for none yet
	 * @param wait the maximum wait
	 * @param nanoTime the monotonic clock of the system, in nanoseconds
	 * @return the result, or {@code null} if there was none in time
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
				T result = step.get();
				long left = deadline - nanoTime.getAsLong();
				if (result != null || left <= 0 || this.now >= until) {
					return result;
				}
				this.changed.awaitNanos(Math.min(left, POLL_NANOS));
			}
		}
		finally {
			leave();
		}
	}

	/**
	 * Returns the time of this step.
	 * @return the time, in milliseconds
	 */
	public long now() {
		return this.now;
	}

	/**
	 * Registers an action to run after the step, on the thread that ends it.
	 * @param action the action
	 */
	public void afterwards(Runnable action) {
		this.afterwards.add(action);
	}

	/**
	 * Advances the fence.
	 * @return the next fencing token
	 */
	public long nextFence() {
		this.fence = Math.max(this.fence + 1, this.now * 1000);
		return this.fence;
	}

	/**
	 * Returns the lock of a key.
	 * @param digest the digest of the key
	 * @return the lock, or {@code null} if the key is free
	 */
	public @Nullable KeyLock lock(String digest) {
		return valid(this.locks.get(digest));
	}

	/**
	 * Returns the claim of a key.
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
	 * Returns the locks whose holders left a record, in the order of their expiry.
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
	 * Sets the lock of a key. Another holder of the key loses it.
	 * @param digest the digest of the key
	 * @param lock the lock
	 */
	public void put(String digest, KeyLock lock) {
		KeyLock previous = lock(digest);
		this.locks.put(digest, lock);
		if (previous != null && !previous.owner().equals(lock.owner())) {
			notifyLoss(previous, LeaseLossCause.TAKEN);
		}
	}

	/**
	 * Claims a key.
	 * @param digest the digest of the key
	 * @param claim the claim
	 */
	public void putClaim(String digest, KeyLock claim) {
		this.claims.put(digest, claim);
	}

	/**
	 * Removes the claim of a key.
	 * @param digest the digest of the key
	 */
	public void dropClaim(String digest) {
		this.claims.remove(digest);
	}

	/**
	 * Evicts the holder of a key.
	 * @param digest the digest of the key
	 */
	public void evict(String digest) {
		KeyLock evicted = lock(digest);
		if (evicted != null) {
			notifyLoss(evicted, LeaseLossCause.GONE);
		}
		free(digest);
	}

	/**
	 * Releases a key, unless it has another owner.
	 * @param digest the digest of the key
	 * @param owner the token of the owner
	 * @param heldUntil the time until which the key stays held nevertheless
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
	 * Removes the traces of a queued job: the rest of a minimum hold, and its claim.
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
	 * Removes every lock and claim and notifies their holders. The fence stays.
	 */
	public void clear() {
		List.copyOf(this.locks.keySet()).forEach(this::evict);
		this.claims.clear();
	}

	private void notifyLoss(KeyLock lock, LeaseLossCause cause) {
		this.lossListeners.forEach((listener) -> afterwards(() -> listener.onLost(lock, cause)));
	}

	/**
	 * Registers a listener that runs after each step that frees a key.
	 * @param listener the listener
	 */
	public void onFree(Runnable listener) {
		this.freeListeners.add(listener);
	}

	void onLoss(LossListener listener) {
		this.lossListeners.add(listener);
	}

	/**
	 * Listener for the loss of keys.
	 */
	interface LossListener {

		void onLost(KeyLock lock, LeaseLossCause cause);

	}

}
