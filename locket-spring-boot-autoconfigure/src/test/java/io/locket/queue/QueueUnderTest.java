package io.locket.queue;

import java.util.function.Supplier;

import io.locket.queue.memory.InMemoryHarness;
import io.locket.queue.redis.RedisQueueHarness;

/**
 * The implementations of {@link JobQueue} that have to pass the same tests.
 */
public enum QueueUnderTest {

	MEMORY(InMemoryHarness::new), REDIS(RedisQueueHarness::new);

	private final Supplier<QueueHarness> factory;

	QueueUnderTest(Supplier<QueueHarness> factory) {
		this.factory = factory;
	}

	/**
	 * Return a queue that is empty.
	 */
	public QueueHarness create() {
		return this.factory.get();
	}

}
