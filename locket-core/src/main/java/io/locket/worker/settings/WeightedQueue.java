package io.locket.worker.settings;

import org.springframework.util.Assert;

/**
 * Queue that a group serves.
 *
 * @param name the name of the queue
 * @param weight its weight, for {@link QueueOrder#WEIGHTED}
 */
public record WeightedQueue(String name, int weight) {

	public WeightedQueue {
		Assert.hasText(name, "'name' must not be empty");
		Assert.isTrue(weight > 0, "'weight' must be at least 1");
	}

}
