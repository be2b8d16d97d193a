package io.locket.queue.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.queue.spi.JobQueue.Listening;
import io.locket.queue.spi.WorkListener;
import io.locket.redis.ChannelSubscription;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;

/**
 * Channel on which a queue publishes that it has received work. Each process has one
 * subscription, which begins with the first listener.
 */
final class WorkChannel implements AutoCloseable {

	private final List<WorkListener> listeners = new CopyOnWriteArrayList<>();

	private final ChannelSubscription subscription;

	WorkChannel(RedisConnectionFactory connectionFactory, String channel) {
		this.subscription = new ChannelSubscription(connectionFactory, new ChannelTopic(channel),
				(queue) -> notifyListeners(queue.isEmpty() ? null : queue), () -> notifyListeners(null));
	}

	private void notifyListeners(@Nullable String queue) {
		this.listeners.forEach((listener) -> listener.onWork(queue));
	}

	Listening listen(WorkListener listener) {
		// First, so that it is notified of the subscription.
		this.listeners.add(listener);
		try {
			this.subscription.start();
		}
		catch (RuntimeException | Error ex) {
			this.listeners.remove(listener);
			throw ex;
		}
		return () -> this.listeners.remove(listener);
	}

	@Override
	public void close() {
		this.subscription.close();
	}

}
