package io.locket.worker;

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
 * Where the slots of a group wait that found nothing to do. One of them is the poller: it
 * looks at the queues from time to time, and stays the poller while it looks. News calls
 * one slot, which is to call the next if it finds work.
 */
final class WaitingRoom {

	private static final Log logger = LogFactory.getLog(WaitingRoom.class);

	/**
	 * Keeps what is due again and again from being asked for without a pause.
	 */
	private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition called = this.lock.newCondition();

	private final Condition due = this.lock.newCondition();

	private final long interval;

	private final LongSupplier nanoTime;

	private final DoubleSupplier random;

	private @Nullable Object poller;

	/**
	 * How many wait, those included who were woken and have not gone yet.
	 */
	private int waiting;

	private int calls;

	/**
	 * When it is time for a look at all queues, whatever is due.
	 */
	private long lookAt;

	/**
	 * When something is due within the interval, as far as is known.
	 */
	private @Nullable Long dueAt;

	private long learntAt;

	private boolean closed;

	WaitingRoom(Duration interval, LongSupplier nanoTime, DoubleSupplier random) {
		this.interval = interval.toNanos();
		this.nanoTime = nanoTime;
		this.random = random;
		this.lookAt = nanoTime.getAsLong();
		this.learntAt = this.lookAt;
	}

	/**
	 * Wait for something to do.
	 * @param slot who waits
	 * @return whether to look at all queues, since it is time to poll
	 */
	boolean await(Object slot) {
		this.lock.lock();
		this.waiting++;
		try {
			while (!this.closed) {
				if (this.calls > 0) {
					this.calls--;
					leavePolling(slot);
					return false;
				}
				if (this.poller == null || this.poller == slot) {
					this.poller = slot;
					long left = pollAt() - this.nanoTime.getAsLong();
					if (left <= 0) {
						return true;
					}
					await(this.due, left);
				}
				else {
					await(this.called, Long.MAX_VALUE);
				}
			}
			return false;
		}
		finally {
			this.waiting--;
			this.lock.unlock();
		}
	}

	/**
	 * Wait for something to do, no longer than until a time, and give in to an interrupt.
	 * @param slot who waits
	 * @param deadline until when, by the monotonic clock
	 * @return whether to look; {@code false} if the time is over or nobody waits any more
	 */
	boolean await(Object slot, long deadline) throws InterruptedException {
		this.lock.lockInterruptibly();
		this.waiting++;
		try {
			while (!this.closed) {
				long now = this.nanoTime.getAsLong();
				if (deadline - now <= 0) {
					leavePolling(slot);
					passOn();
					return false;
				}
				if (this.calls > 0) {
					this.calls--;
					leavePolling(slot);
					return true;
				}
				if (this.poller == null || this.poller == slot) {
					this.poller = slot;
					if (pollAt() - now <= 0) {
						return true;
					}
					this.due.awaitNanos(Math.min(pollAt() - now, deadline - now));
				}
				else {
					this.called.awaitNanos(deadline - now);
				}
			}
			return false;
		}
		finally {
			this.waiting--;
			this.lock.unlock();
		}
	}

	/**
	 * Who was called and does not come is followed by somebody else.
	 */
	private void passOn() {
		if (this.calls > 0) {
			(this.lock.hasWaiters(this.called) ? this.called : this.due).signal();
		}
	}

	/**
	 * A slot waits no more, for the time being.
	 */
	void leave(Object slot) {
		this.lock.lock();
		try {
			leavePolling(slot);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void await(Condition condition, long nanos) {
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
	 * A slot has looked. Answers may come in another order than the looks: one that may
	 * be older than what is known does not take it back.
	 * @param all whether it has looked at all queues
	 * @param next when something is due, or {@code null} if nothing is
	 * @param sentAt when it began to look, by the monotonic clock
	 */
	void onLooked(boolean all, @Nullable Duration next, long sentAt) {
		this.lock.lock();
		try {
			long now = this.nanoTime.getAsLong();
			long before = pollAt();
			if (all) {
				this.lookAt = now + (long) (this.interval * (0.6 + 0.4 * this.random.getAsDouble()));
			}
			Long nextDue = (next != null && next.toNanos() < this.interval)
					? (Long) (now + Math.max(SHORTEST_NANOS, next.toNanos())) : null;
			Long known = this.dueAt;
			if (known == null || sentAt - this.learntAt > 0 || (nextDue != null && nextDue - known < 0)) {
				this.dueAt = nextDue;
				this.learntAt = now;
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
	 * When the poller is to look.
	 */
	private long pollAt() {
		Long known = this.dueAt;
		return (known != null && known - this.lookAt < 0) ? known : this.lookAt;
	}

	/**
	 * Return when it was or is time for a look at all queues, by the monotonic clock.
	 */
	long lookAt() {
		this.lock.lock();
		try {
			return this.lookAt;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The slot has found work: it is busy from now on.
	 * @param slot who has found work
	 * @param more whether another one may find some, too
	 */
	void onWork(Object slot, boolean more) {
		this.lock.lock();
		try {
			leavePolling(slot);
			if (more && this.waiting > 0) {
				call();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * There may be work: call one of those who wait, or the next one who comes.
	 */
	void onNews() {
		this.lock.lock();
		try {
			call();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void call() {
		this.calls = (this.calls < this.waiting) ? this.calls + 1 : Math.max(1, this.calls);
		(this.lock.hasWaiters(this.called) ? this.called : this.due).signal();
	}

	/**
	 * Somebody else is to poll, if the slot did. One who sleeps takes over.
	 */
	private void leavePolling(Object slot) {
		if (this.poller == slot) {
			this.poller = null;
			this.called.signal();
		}
	}

	/**
	 * Nobody waits any more.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.called.signalAll();
			this.due.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
