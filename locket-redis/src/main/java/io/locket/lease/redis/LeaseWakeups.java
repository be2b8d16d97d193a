package io.locket.lease.redis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.locket.redis.ChannelSubscription;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.PatternTopic;

/**
 * Wake-ups of waiters when a key is released. There is one subscription in a process,
 * which begins with the first waiter. Waiters poll too, so a lost message only delays
 * them. Thread-safe.
 */
final class LeaseWakeups implements AutoCloseable {

	private final Map<String, Deque<Waiter>> waiters = new ConcurrentHashMap<>();

	private final ChannelSubscription subscription;

	LeaseWakeups(RedisConnectionFactory connectionFactory, String channels) {
		this.subscription = new ChannelSubscription(connectionFactory, new PatternTopic(channels), this::wakeOne,
				this::wakeAll);
	}

	/**
	 * Joins the local queue of waiters for a lock.
	 * @param lock the name of the lock
	 * @return the place in the queue, to be closed when it is left
	 */
	Waiter join(String lock) {
		return join(lock, () -> {
		});
	}

	/**
	 * Joins the local queue of waiters for a lock.
	 * @param lock the name of the lock
	 * @param onWake the action at each wake-up; it must not block, and of the waiter it
	 * may call only {@link Waiter#isWoken()}
	 * @return the place in the queue, to be closed when it is left
	 */
	Waiter join(String lock, Runnable onWake) {
		// First, because a waiter that is not returned would never leave the queue.
		this.subscription.start();
		Waiter waiter = new Waiter(lock, onWake);
		this.waiters.compute(lock, (name, queue) -> {
			Deque<Waiter> result = (queue != null) ? queue : new ArrayDeque<>();
			result.add(waiter);
			return result;
		});
		return waiter;
	}

	/**
	 * Wakes the first waiter for a lock.
	 */
	void wakeOne(String lock) {
		withQueue(lock, (queue) -> {
			Waiter first = queue.peekFirst();
			if (first != null) {
				first.wake();
			}
		});
	}

	/**
	 * Wakes all waiters.
	 */
	void wakeAll() {
		this.waiters.keySet().forEach((lock) -> withQueue(lock, (queue) -> queue.forEach(Waiter::wake)));
	}

	private void withQueue(String lock, Consumer<Deque<Waiter>> action) {
		this.waiters.computeIfPresent(lock, (name, queue) -> {
			action.accept(queue);
			return queue.isEmpty() ? null : queue;
		});
	}

	@Override
	public void close() {
		this.subscription.close();
	}

	/**
	 * Place in the local queue. A waiter that leaves passes a wake-up on that was not
	 * served by a reply of the store.
	 */
	final class Waiter implements AutoCloseable {

		private final String lock;

		private final Semaphore signal = new Semaphore(0);

		private final Runnable onWake;

		private volatile boolean serving;

		private Waiter(String lock, Runnable onWake) {
			this.lock = lock;
			this.onWake = onWake;
		}

		private void wake() {
			this.signal.release();
			this.onWake.run();
		}

		boolean isWoken() {
			return this.signal.availablePermits() > 0;
		}

		/**
		 * Consumes the wake-ups that have arrived, because the next attempt serves them.
		 */
		void consume() {
			if (isWoken()) {
				// First, so that a waiter that leaves meanwhile passes the wake-up on.
				this.serving = true;
				this.signal.drainPermits();
			}
		}

		/**
		 * Records that an attempt received a reply.
		 */
		void served() {
			this.serving = false;
		}

		/**
		 * Returns whether other waiters of this process are in the queue. This waiter may
		 * have left it.
		 */
		boolean hasOthers() {
			boolean[] others = new boolean[1];
			withQueue(this.lock, (queue) -> others[0] = queue.size() > 1 || queue.peekFirst() != this);
			return others[0];
		}

		/**
		 * Returns whether no other waiter of this process precedes this one.
		 */
		boolean isFirst() {
			boolean[] first = new boolean[1];
			withQueue(this.lock, (queue) -> first[0] = queue.peekFirst() == this);
			return first[0];
		}

		/**
		 * Waits for a wake-up.
		 * @param nanos the maximum wait, in nanoseconds
		 * @throws InterruptedException if the thread is interrupted
		 */
		void await(long nanos) throws InterruptedException {
			if (this.signal.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
				this.serving = true;
				this.signal.drainPermits();
			}
		}

		@Override
		public void close() {
			withQueue(this.lock, (queue) -> queue.remove(this));
			if (this.signal.drainPermits() > 0 || this.serving) {
				wakeOne(this.lock);
			}
		}

	}

}
