package io.locket.lease.redis;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.heartbeat.LeaseClosing;
import io.locket.lease.heartbeat.StoreHang;

/**
 * Asynchronous wait for keys that are held, without a thread per waiter. The first
 * attempt runs on the calling thread. Later attempts run on an executor, at the same
 * moments as those of {@link LeaseWait}. Of several waiters in this process, the first
 * one polls the key, and the others poll it only rarely.
 */
final class AsyncLeaseWait implements AutoCloseable {

	private final Set<AsyncWaiter> waiters = ConcurrentHashMap.newKeySet();

	private final AsyncWaiter.Context context;

	private volatile boolean closed;

	AsyncLeaseWait(LeaseWakeups wakeups, ScheduledExecutorService timer, Executor retries, Executor notifier,
			LongSupplier nanoTime) {
		this.context = new AsyncWaiter.Context(wakeups, timer, retries, notifier, nanoTime);
	}

	/**
	 * Makes attempts until the reply is no refusal or the time is up.
	 * @param lock the name of the lock
	 * @param request the request, with the wait
	 * @param acquire the attempt, which may block for a command of the store
	 * @param reports receives each result before it is returned
	 * @return the future reply; its cancellation ends the wait
	 */
	CompletableFuture<LeaseAttempt> await(String lock, LeaseRequest request, LeaseWait.Acquire acquire,
			AttemptReports reports) {
		try {
			LeaseAttempt first = acquire.attempt(false);
			if (!(first instanceof LeaseAttempt.Refused refused) || request.waitTime().isZero()) {
				reports.publish(first);
				return CompletableFuture.completedFuture(first);
			}
			AsyncWaiter waiter = new AsyncWaiter(request, (others) -> attempt(acquire, others), reports, refused,
					this.context);
			waiter.join(lock);
			begin(waiter);
			return waiter.result();
		}
		catch (LeaseUnavailableException ex) {
			reports.failed(ex);
			return CompletableFuture.failedFuture(ex);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void begin(AsyncWaiter waiter) {
		this.waiters.add(waiter);
		waiter.result().whenComplete((attempt, failure) -> this.waiters.remove(waiter));
		if (this.closed) {
			waiter.fail(LeaseClosing.refusal(null));
		}
		waiter.begin();
	}

	/**
	 * Makes an attempt. If it runs into its timeout, the attempts that have waited for a
	 * thread meanwhile would do so too, so they fail with it.
	 */
	private LeaseAttempt attempt(LeaseWait.Acquire acquire, boolean beforeOthers) {
		long sentAt = this.context.nanoTime().getAsLong();
		try {
			return acquire.attempt(beforeOthers);
		}
		catch (LeaseUnavailableException ex) {
			if (StoreHang.isShownBy(this.context.nanoTime().getAsLong() - sentAt)) {
				this.waiters.forEach((waiter) -> waiter.failIfQueuedBefore(sentAt, ex));
			}
			throw ex;
		}
	}

	/**
	 * Ends all waits, because their attempts can no longer be repeated.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.waiters.forEach((waiter) -> waiter.fail(LeaseClosing.refusal(null)));
	}

}
