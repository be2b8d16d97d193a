package io.locket.queue.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.lease.ChannelSubscription;
import io.locket.queue.JobQueue.Listening;
import io.locket.queue.WorkListener;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;

/**
 * The channel on which queues tell that they have got something: one subscription a
 * process, which begins with the first listener.
 */
final class WorkChannel implements AutoCloseable {

	private final List<WorkListener> listeners = new CopyOnWriteArrayList<>();

	private final ChannelSubscription subscription;

	WorkChannel(RedisConnectionFactory connectionFactory, String channel) {
		this.subscription = new ChannelSubscription(connectionFactory, new ChannelTopic(channel),
				(queue) -> tell(queue.isEmpty() ? null : queue), () -> tell(null));
	}

	private void tell(@Nullable String queue) {
		this.listeners.forEach((listener) -> listener.onWork(queue));
	}

	Listening listen(WorkListener listener) {
		this.listeners.add(listener);
		this.subscription.start();
		return () -> this.listeners.remove(listener);
	}

	@Override
	public void close() {
		this.subscription.close();
	}

}
