package io.locket.queue;

import java.util.function.Supplier;

import io.locket.queue.memory.InMemoryHarness;
import io.locket.queue.redis.RedisQueueHarness;
import io.locket.queue.spi.JobQueue;

/**
 * Implementations of {@link JobQueue} that have to pass the same tests.
 */
public enum QueueUnderTest {

	MEMORY(InMemoryHarness::new), REDIS(RedisQueueHarness::new);

	private final Supplier<QueueHarness> factory;

	QueueUnderTest(Supplier<QueueHarness> factory) {
		this.factory = factory;
	}

	/**
	 * Creates an empty queue.
	 */
	public QueueHarness create() {
		return this.factory.get();
	}

}
