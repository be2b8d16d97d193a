package io.locket.queue;

import java.util.function.Supplier;

import io.locket.queue.redis.RedisQueueHarness;

/**
 * The implementations of {@link JobQueue} that have to pass the same tests.
 */
enum QueueUnderTest {

	MODEL(ModelHarness::new), REDIS(RedisQueueHarness::new);

	private final Supplier<QueueHarness> factory;

	QueueUnderTest(Supplier<QueueHarness> factory) {
		this.factory = factory;
	}

	/**
	 * Return a queue that is empty.
	 */
	QueueHarness create() {
		return this.factory.get();
	}

}
