package io.locket.lease;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * Wakes those who wait for a key when it is released: one subscription a process, which
 * begins with the first waiter. Waiters poll as well, so that a message that is lost
 * delays them and no more.
 */
final class LeaseWakeups implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseWakeups.class);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Map<String, Deque<Waiter>> waiters = new ConcurrentHashMap<>();

	private final RedisConnectionFactory connectionFactory;

	private final String channel;

	private final Object monitor = new Object();

	private @Nullable Thread subscriber;

	private @Nullable RedisConnection connection;

	private boolean closed;

	LeaseWakeups(RedisConnectionFactory connectionFactory, String channel) {
		this.connectionFactory = connectionFactory;
		this.channel = channel;
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
		subscribe();
		return waiter;
	}

	private void subscribe() {
		synchronized (this.monitor) {
			if (this.subscriber == null && !this.closed) {
				this.subscriber = new Thread(this::runSubscriber, "locket-wakeups");
				this.subscriber.setDaemon(true);
				this.subscriber.start();
			}
		}
	}

	/**
	 * Subscribe once: with Lettuce the call returns and the connection re-subscribes by
	 * itself, with other drivers it returns when the connection has ended.
	 */
	private void runSubscriber() {
		boolean told = false;
		while (!isClosed()) {
			RedisConnection opened = null;
			try {
				opened = this.connectionFactory.getConnection();
				opened.subscribe(new ReleaseListener(), this.channel.getBytes(StandardCharsets.UTF_8));
				if (opened.isSubscribed() && keep(opened)) {
					return;
				}
			}
			catch (Throwable ex) {
				if (!told && !isClosed()) {
					told = true;
					logger.warn("Cannot subscribe to " + this.channel
							+ "; those who wait for a lease find out by polling. Does the Redis user have this channel?",
							ex);
				}
			}
			close(opened);
			LockSupport.parkNanos(RETRY_NANOS);
		}
	}

	private boolean isClosed() {
		synchronized (this.monitor) {
			return this.closed;
		}
	}

	private boolean keep(RedisConnection opened) {
		synchronized (this.monitor) {
			if (this.closed) {
				return false;
			}
			this.connection = opened;
			return true;
		}
	}

	private static void close(@Nullable RedisConnection opened) {
		if (opened != null) {
			try {
				Subscription subscription = opened.getSubscription();
				if (subscription != null) {
					subscription.close();
				}
				opened.close();
			}
			catch (RuntimeException ex) {
				logger.debug("A subscription did not close cleanly", ex);
			}
		}
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
		RedisConnection opened;
		synchronized (this.monitor) {
			this.closed = true;
			opened = this.connection;
			this.connection = null;
			if (this.subscriber != null) {
				LockSupport.unpark(this.subscriber);
			}
		}
		close(opened);
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

	/**
	 * Hears of released locks; after each (re-)subscription everybody looks once, since
	 * messages may have been missed.
	 */
	private final class ReleaseListener implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			wakeOne(new String(message.getBody(), StandardCharsets.UTF_8));
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			wakeAll();
		}

	}

}
