package io.locket.lease;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.PatternTopic;

/**
 * Wakes those who wait for a key when it is released: one subscription a process, which
 * begins with the first waiter. Waiters poll as well, so that a message that is lost
 * delays them and no more.
 */
final class LeaseWakeups implements AutoCloseable {

	private final Map<String, Deque<Waiter>> waiters = new ConcurrentHashMap<>();

	private final ChannelSubscription subscription;

	LeaseWakeups(RedisConnectionFactory connectionFactory, String channels) {
		this.subscription = new ChannelSubscription(connectionFactory, new PatternTopic(channels), this::wakeOne,
				this::wakeAll);
	}

	/**
	 * Join the local queue of those who wait for a lock.
	 * @param lock the name of the lock
	 * @return the place in the queue, to be closed when it is left
	 */
	Waiter join(String lock) {
		Waiter waiter = new Waiter(lock);
		this.waiters.compute(lock, (name, queue) -> {
			Deque<Waiter> result = (queue != null) ? queue : new ArrayDeque<>();
			result.add(waiter);
			return result;
		});
		this.subscription.start();
		return waiter;
	}

	private void wakeOne(String lock) {
		withQueue(lock, (queue) -> {
			Waiter first = queue.peekFirst();
			if (first != null) {
				first.signal.release();
			}
		});
	}

	private void wakeAll() {
		this.waiters.keySet()
			.forEach((lock) -> withQueue(lock, (queue) -> queue.forEach((waiter) -> waiter.signal.release())));
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
	 * A place in the local queue. One who leaves with a wake-up in hand passes it on.
	 */
	final class Waiter implements AutoCloseable {

		private final String lock;

		private final Semaphore signal = new Semaphore(0);

		private Waiter(String lock) {
			this.lock = lock;
		}

		/**
		 * Wait for a wake-up.
		 * @param nanos for how long at the most
		 * @throws InterruptedException if the thread is interrupted
		 */
		void await(long nanos) throws InterruptedException {
			if (this.signal.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
				this.signal.drainPermits();
			}
		}

		@Override
		public void close() {
			withQueue(this.lock, (queue) -> queue.remove(this));
			if (this.signal.drainPermits() > 0) {
				wakeOne(this.lock);
			}
		}

	}

}
