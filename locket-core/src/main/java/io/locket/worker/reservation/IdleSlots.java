package io.locket.worker.reservation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Waiting place for idle slots of a group. One of the waiters is the poller, which polls
 * the queues from time to time. A notification wakes one slot, which wakes the next if it
 * finds work. Thread-safe.
 */
public final class IdleSlots {

	private static final Log logger = LogFactory.getLog(IdleSlots.class);

	/**
	 * Minimum delay before a due time, so that repeated due times do not cause a busy
	 * loop.
	 */
	private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition notified = this.lock.newCondition();

	private final Condition due = this.lock.newCondition();

	private final long interval;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private @Nullable Object poller;

	/**
	 * Number of waiters, including those that were woken and have not left yet.
	 */
	private int waiting;

	/**
	 * Number of notifications that no waiter has taken yet.
	 */
	private int notifications;

	/**
	 * Time of the next poll of all queues, regardless of due times.
	 */
	private long nextPollAt;

	/**
	 * Next known due time within the interval.
	 */
	private @Nullable Long dueAt;

	private long dueKnownAt;

	private boolean closed;

	public IdleSlots(Duration interval, LongSupplier nanoTime, DoubleSupplier random) {
		this.interval = interval.toNanos();
		this.nanoTime = nanoTime;
		this.random = random;
		this.nextPollAt = nanoTime.getAsLong();
		this.dueKnownAt = this.nextPollAt;
	}

	/**
	 * Waits for work. An interrupt does not end the wait, because it was meant for a body
	 * that has ended.
	 * @param slot the waiting slot
	 * @return the reason for the end of the wait
	 */
	public Wake await(Object slot) {
		this.lock.lock();
		this.waiting++;
		try {
			while (true) {
				Wake wake = wake(slot);
				if (wake != null) {
					return wake;
				}
				if (this.poller == slot) {
					awaitIgnoringInterrupts(this.due, pollAt() - this.nanoTime.getAsLong());
				}
				else {
					awaitIgnoringInterrupts(this.notified, Long.MAX_VALUE);
				}
			}
		}
		finally {
			this.waiting--;
			this.lock.unlock();
		}
	}

	/**
	 * Waits for work until a deadline.
	 * @param slot the waiting slot
	 * @param deadline the deadline, by the monotonic clock
	 * @return the reason for the end of the wait
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Wake await(Object slot, long deadline) throws InterruptedException {
		this.lock.lockInterruptibly();
		this.waiting++;
		try {
			while (true) {
				long left = deadline - this.nanoTime.getAsLong();
				if (!this.closed && left <= 0) {
					leavePolling(slot);
					passOn();
					return Wake.TIMED_OUT;
				}
				Wake wake = wake(slot);
				if (wake != null) {
					return wake;
				}
				if (this.poller == slot) {
					this.due.awaitNanos(Math.min(pollAt() - this.nanoTime.getAsLong(), left));
				}
				else {
					this.notified.awaitNanos(left);
				}
			}
		}
		catch (InterruptedException ex) {
			passOn();
			throw ex;
		}
		finally {
			this.waiting--;
			this.lock.unlock();
		}
	}

	/**
	 * Returns the reason to end the wait of a slot, which becomes the poller if there is
	 * none.
	 * @return the reason, or {@code null} if the slot has to wait
	 */
	private @Nullable Wake wake(Object slot) {
		if (this.closed) {
			return Wake.CLOSED;
		}
		if (this.notifications > 0) {
			this.notifications--;
			leavePolling(slot);
			return Wake.NOTIFIED;
		}
		if (this.poller == null || this.poller == slot) {
			this.poller = slot;
			return (pollAt() - this.nanoTime.getAsLong() <= 0) ? Wake.POLL_DUE : null;
		}
		return null;
	}

	/**
	 * Wakes another waiter instead of one that leaves and may have been woken: by a
	 * notification, or because there is no poller.
	 */
	private void passOn() {
		if (this.notifications > 0 || this.poller == null) {
			(this.lock.hasWaiters(this.notified) ? this.notified : this.due).signal();
		}
	}

	/**
	 * Ends the waiting of a slot.
	 * @param slot the slot
	 */
	public void leave(Object slot) {
		this.lock.lock();
		try {
			leavePolling(slot);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitIgnoringInterrupts(Condition condition, long nanos) {
		try {
			if (nanos == Long.MAX_VALUE) {
				condition.await();
			}
			else {
				condition.awaitNanos(nanos);
			}
		}
		catch (InterruptedException ex) {
			logger.trace("The interrupt was meant for a body that has ended", ex);
		}
	}

	/**
	 * Handles the result of a poll. Replies may arrive out of order. A possibly older
	 * reply replaces a newer one only if its due time is earlier.
	 * @param all whether all queues were polled
	 * @param next the time until something is due, or {@code null} if nothing is
	 * @param sentAt the start of the poll, by the monotonic clock
	 */
	public void onPolled(boolean all, @Nullable Duration next, long sentAt) {
		this.lock.lock();
		try {
			long now = this.nanoTime.getAsLong();
			long before = pollAt();
			if (all) {
				this.nextPollAt = now + (long) (this.interval * (0.6 + 0.4 * this.random.getAsDouble()));
			}
			// A due time may be too far away for a number of nanoseconds.
			Long nextDue = (next != null && next.compareTo(Duration.ofNanos(this.interval)) < 0)
					? (Long) (now + Math.max(SHORTEST_NANOS, next.toNanos())) : null;
			Long known = this.dueAt;
			if (known == null || sentAt - this.dueKnownAt > 0 || (nextDue != null && nextDue - known < 0)) {
				this.dueAt = nextDue;
				this.dueKnownAt = now;
			}
			if (this.dueAt != null && pollAt() - before < 0) {
				this.due.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the time of the next poll.
	 */
	private long pollAt() {
		Long known = this.dueAt;
		return (known != null && known - this.nextPollAt < 0) ? known : this.nextPollAt;
	}

	/**
	 * Returns the time of the last or next due poll of all queues, by the monotonic
	 * clock.
	 * @return the time of the last or next due poll of all queues, by the monotonic clock
	 */
	public long nextPollAt() {
		this.lock.lock();
		try {
			return this.nextPollAt;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether it is time to poll all queues. A slot that always finds work does
	 * not wait here, so it polls them with its next request.
	 * @return whether it is time to poll all queues
	 */
	public boolean isPollDue() {
		return nextPollAt() - this.nanoTime.getAsLong() <= 0;
	}

	/**
	 * Returns whether there are no waiters.
	 * @return whether there are no waiters
	 */
	public boolean isEmpty() {
		this.lock.lock();
		try {
			return this.waiting == 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Handles work that a slot has found, which is busy from now on. If another slot may
	 * find work, too, this wakes one waiter, or the next one to come: its last reply may
	 * be older than the work.
	 * @param slot the slot
	 * @param more whether another slot may find work, too
	 */
	public void onWork(Object slot, boolean more) {
		this.lock.lock();
		try {
			leavePolling(slot);
			if (more) {
				notifyOne();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Handles a notification: wakes one waiter, or the next one to come.
	 */
	public void onNotification() {
		this.lock.lock();
		try {
			notifyOne();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void notifyOne() {
		this.notifications = (this.notifications < this.waiting) ? this.notifications + 1
				: Math.max(1, this.notifications);
		(this.lock.hasWaiters(this.notified) ? this.notified : this.due).signal();
	}

	/**
	 * Ends the role of a slot as poller, if it has it. A sleeping waiter takes over.
	 */
	private void leavePolling(Object slot) {
		if (this.poller == slot) {
			this.poller = null;
			this.notified.signal();
		}
	}

	/**
	 * Ends all waiting.
	 */
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.notified.signalAll();
			this.due.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
