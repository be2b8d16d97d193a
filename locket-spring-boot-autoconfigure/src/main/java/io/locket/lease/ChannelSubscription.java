package io.locket.lease;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.PatternTopic;
import org.springframework.data.redis.listener.Topic;

/**
 * The subscription of this process to channels, from its start until it is closed. It is
 * a hint and no more: messages are lost while the connection is. Thread-safe.
 */
public final class ChannelSubscription implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ChannelSubscription.class);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RedisConnectionFactory connectionFactory;

	private final Topic topic;

	private final Consumer<String> onMessage;

	private final Runnable onSubscribed;

	private final Object monitor = new Object();

	private @Nullable Thread subscriber;

	private @Nullable RedisConnection connection;

	private boolean closed;

	/**
	 * Create a subscription that has not started.
	 * @param connectionFactory the connections, of which it takes one
	 * @param topic the channel, or a {@link PatternTopic} for many of them
	 * @param onMessage is given each message, on a thread that it must not block
	 * @param onSubscribed is called after each (re-)subscription, since messages may have
	 * been missed, on a thread that it must not block
	 */
	public ChannelSubscription(RedisConnectionFactory connectionFactory, Topic topic, Consumer<String> onMessage,
			Runnable onSubscribed) {
		this.connectionFactory = Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null");
		this.topic = Objects.requireNonNull(topic, "'topic' must not be null");
		this.onMessage = Objects.requireNonNull(onMessage, "'onMessage' must not be null");
		this.onSubscribed = Objects.requireNonNull(onSubscribed, "'onSubscribed' must not be null");
	}

	/**
	 * Start, unless it has started or is closed. Returns at once.
	 */
	public void start() {
		synchronized (this.monitor) {
			if (this.subscriber == null && !this.closed) {
				this.subscriber = new Thread(this::runSubscriber, "locket-subscriber-" + this.topic.getTopic());
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
				keep(opened);
				subscribe(opened);
				if (opened.isSubscribed() && !isClosed()) {
					return;
				}
			}
			catch (Throwable ex) {
				if (!told && !isClosed()) {
					told = true;
					logger.warn("Cannot subscribe to " + this.topic.getTopic()
							+ "; trying again every second, and those who wait for news find out by polling."
							+ " Look at Redis, and at the permissions of its user: "
							+ NestedExceptionUtils.getMostSpecificCause(ex));
					logger.debug("The subscription failed", ex);
				}
			}
			close(opened);
			LockSupport.parkNanos(RETRY_NANOS);
		}
	}

	private void subscribe(RedisConnection opened) {
		byte[] name = this.topic.getTopic().getBytes(StandardCharsets.UTF_8);
		if (this.topic instanceof PatternTopic) {
			opened.pSubscribe(new Listener(), name);
		}
		else {
			opened.subscribe(new Listener(), name);
		}
	}

	private boolean isClosed() {
		synchronized (this.monitor) {
			return this.closed;
		}
	}

	/**
	 * From now on {@link #close()} ends the connection, also while it subscribes.
	 */
	private void keep(RedisConnection opened) {
		synchronized (this.monitor) {
			this.connection = opened;
		}
	}

	private static void close(@Nullable RedisConnection opened) {
		if (opened == null) {
			return;
		}
		closeQuietly(() -> {
			Subscription subscription = opened.getSubscription();
			if (subscription != null) {
				subscription.close();
			}
		});
		closeQuietly(opened::close);
	}

	private static void closeQuietly(Runnable close) {
		try {
			close.run();
		}
		catch (RuntimeException ex) {
			logger.debug("A subscription did not close cleanly", ex);
		}
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

	private final class Listener implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			ChannelSubscription.this.onMessage.accept(new String(message.getBody(), StandardCharsets.UTF_8));
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			ChannelSubscription.this.onSubscribed.run();
		}

		@Override
		public void onPatternSubscribed(byte[] pattern, long count) {
			ChannelSubscription.this.onSubscribed.run();
		}

	}

}
