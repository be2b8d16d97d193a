package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * How one group of workers works. Immutable.
 *
 * @param name the name of the group
 * @param queues the queues that it serves
 * @param order in which order it asks them
 * @param concurrency how many jobs it runs at once
 * @param threads on which threads
 * @param batch how many jobs a worker takes at once; it runs them one after another
 * @param pollInterval the longest time between two looks at the queues
 */
public record GroupSettings(String name, List<WeightedQueue> queues, QueueOrder order, int concurrency,
		WorkerThreads threads, int batch, Duration pollInterval) {

	public GroupSettings {
		Assert.hasText(name, "'name' must not be empty");
		Assert.notEmpty(queues, () -> "Worker group '" + name + "' has no queues");
		Objects.requireNonNull(order, "'order' must not be null");
		Objects.requireNonNull(threads, "'threads' must not be null");
		Assert.isTrue(concurrency > 0, () -> "The concurrency of worker group '" + name + "' must be at least 1");
		Assert.isTrue(batch > 0, () -> "The batch of worker group '" + name + "' must be at least 1");
		Assert.isTrue(pollInterval.toMillis() > 0,
				() -> "The poll interval of worker group '" + name + "' must be at least a millisecond");
		queues = List.copyOf(queues);
		Assert.isTrue(queues.stream().map(WeightedQueue::name).distinct().count() == queues.size(),
				() -> "Worker group '" + name + "' names a queue twice");
	}

	List<String> queueNames() {
		return this.queues.stream().map(WeightedQueue::name).toList();
	}

}
