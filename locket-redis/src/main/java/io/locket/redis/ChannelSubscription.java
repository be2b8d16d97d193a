package io.locket.redis;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.locket.log.OutageLog;
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
 * Subscription of this process to channels, from its start until it is closed. Messages
 * are only hints: they are lost while there is no connection. Thread-safe.
 */
public final class ChannelSubscription implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ChannelSubscription.class);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RedisConnectionFactory connectionFactory;

	private final Topic topic;

	private final Consumer<String> onMessage;

	private final Runnable onSubscribed;

	private final Object monitor = new Object();

	private final Runnable renewal = this::renew;

	private final OutageLog outage;

	private @Nullable Thread subscriber;

	private @Nullable RedisConnection connection;

	private boolean subscribed;

	private boolean closed;

	/**
	 * Creates a subscription that has not started.
	 * @param connectionFactory the connections, one of which is used
	 * @param topic the channel, or a {@link PatternTopic} for several channels
	 * @param onMessage the consumer of each message, on a thread that it must not block
	 * @param onSubscribed the action after each subscription or re-subscription, because
	 * messages may have been missed, on a thread that it must not block
	 */
	public ChannelSubscription(RedisConnectionFactory connectionFactory, Topic topic, Consumer<String> onMessage,
			Runnable onSubscribed) {
		this.connectionFactory = Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null");
		this.topic = Objects.requireNonNull(topic, "'topic' must not be null");
		this.onMessage = Objects.requireNonNull(onMessage, "'onMessage' must not be null");
		this.onSubscribed = Objects.requireNonNull(onSubscribed, "'onSubscribed' must not be null");
		this.outage = new OutageLog(logger, System::nanoTime,
				"Cannot subscribe to " + topic.getTopic() + ". Locket retries every second and polls meanwhile",
				"Subscribed to " + topic.getTopic() + " again");
	}

	/**
	 * Starts the subscription, unless it has started or is closed. Returns at once.
	 */
	public void start() {
		synchronized (this.monitor) {
			if (this.subscriber == null && !this.closed) {
				startSubscriber(null);
				if (this.connectionFactory instanceof RenewableConnections renewable) {
					renewable.addRenewalAction(this.renewal);
				}
			}
		}
	}

	private void startSubscriber(@Nullable RedisConnection replaced) {
		Thread thread = new Thread(() -> runSubscriber(replaced), "locket-subscriber-" + this.topic.getTopic());
		thread.setDaemon(true);
		thread.start();
		// Only now: a thread that could not be started is tried again.
		this.subscriber = thread;
	}

	private void logFailure(Throwable ex, Throwable cause) {
		RedisFailure failure = RedisFailure.of(ex);
		if (failure.kind() == RedisFailure.Kind.UNREADABLE) {
			this.outage.failed(cause);
		}
		else {
			this.outage.failed(ex, failure.message("subscribe"));
		}
	}

	/**
	 * Subscribes on a new connection, because the current one may be dead, as other
	 * connections that were renewed. A subscription that is still being made continues.
	 */
	private void renew() {
		synchronized (this.monitor) {
			if (this.subscribed && !this.closed) {
				startSubscriber(this.connection);
				this.subscribed = false;
			}
		}
	}

	/**
	 * Subscribes once. With Lettuce the call returns and the connection re-subscribes by
	 * itself. With other drivers it returns when the connection has ended.
	 * @param replaced the connection of an earlier subscription, which is closed
	 */
	private void runSubscriber(@Nullable RedisConnection replaced) {
		RedisConnection earlier = replaced;
		while (!isClosed()) {
			RedisConnection opened = null;
			try {
				opened = this.connectionFactory.getConnection();
				if (keep(opened) && subscribe(opened) && keepSubscribed()) {
					this.outage.succeeded();
					close(earlier);
					return;
				}
			}
			catch (Throwable ex) {
				Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
				if (cause instanceof UnsupportedOperationException) {
					logger.warn("A static list of servers has no Pub/Sub, so Locket polls instead of subscribing to "
							+ this.topic.getTopic() + ". Use Sentinel in place of such a list", cause);
					close(opened);
					break;
				}
				if (!isClosed()) {
					logFailure(ex, cause);
				}
			}
			close(opened);
			close(earlier);
			earlier = null;
			if (!isClosed()) {
				LockSupport.parkNanos(RETRY_NANOS);
			}
		}
		close(earlier);
	}

	private boolean subscribe(RedisConnection opened) {
		byte[] name = this.topic.getTopic().getBytes(StandardCharsets.UTF_8);
		if (this.topic instanceof PatternTopic) {
			opened.pSubscribe(new Listener(), name);
		}
		else {
			opened.subscribe(new Listener(), name);
		}
		return opened.isSubscribed();
	}

	private boolean keepSubscribed() {
		synchronized (this.monitor) {
			this.subscribed = !this.closed;
			return this.subscribed;
		}
	}

	private boolean isClosed() {
		synchronized (this.monitor) {
			return this.closed;
		}
	}

	/**
	 * Keeps the connection, so that {@link #close()} can end it, even while it
	 * subscribes.
	 * @return {@code false} if this is closed, so the connection must not subscribe
	 */
	private boolean keep(RedisConnection opened) {
		synchronized (this.monitor) {
			if (!this.closed) {
				this.connection = opened;
			}
			return !this.closed;
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
		catch (RuntimeException | Error ex) {
			logger.debug("A subscription did not close cleanly", ex);
		}
	}

	/**
	 * Closes the subscription. Waits a short time for a connection that is being opened.
	 */
	@Override
	public void close() {
		RedisConnection opened;
		Thread running;
		synchronized (this.monitor) {
			this.closed = true;
			opened = this.connection;
			this.connection = null;
			running = this.subscriber;
		}
		if (this.connectionFactory instanceof RenewableConnections renewable) {
			renewable.removeRenewalAction(this.renewal);
		}
		close(opened);
		BackgroundThreads.awaitEnd(running);
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
