package io.locket.worker.settings;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * Settings of one group of workers. Immutable.
 *
 * @param name the name of the group
 * @param queues the queues that it serves
 * @param order the order in which the queues are requested
 * @param concurrency the number of jobs that run at once
 * @param threads the kind of threads
 * @param batch the maximum number of jobs that a thread takes at once; it runs them one
 * after another
 * @param batchHold the maximum time for which a job is held before it starts
 * @param pollInterval the maximum time between two polls of the queues
 */
public record GroupSettings(String name, List<WeightedQueue> queues, QueueOrder order, int concurrency,
		WorkerThreads threads, int batch, Duration batchHold, Duration pollInterval) {

	public GroupSettings {
		Assert.hasText(name, "'name' must not be empty");
		Assert.notEmpty(queues, () -> "Worker group '" + name + "' has no queues");
		Objects.requireNonNull(order, "'order' must not be null");
		Objects.requireNonNull(threads, "'threads' must not be null");
		Assert.isTrue(concurrency > 0, () -> "The concurrency of worker group '" + name + "' must be at least 1");
		Assert.isTrue(batch > 0, () -> "The batch of worker group '" + name + "' must be at least 1");
		Assert.isTrue(batchHold.toMillis() > 0,
				() -> "The batch hold of worker group '" + name + "' must be at least a millisecond");
		Assert.isTrue(pollInterval.toMillis() > 0,
				() -> "The poll interval of worker group '" + name + "' must be at least a millisecond");
		queues = List.copyOf(queues);
		Assert.isTrue(queues.stream().map(WeightedQueue::name).distinct().count() == queues.size(),
				() -> "Worker group '" + name + "' names a queue twice");
	}

	public List<String> queueNames() {
		return this.queues.stream().map(WeightedQueue::name).toList();
	}

}
