package io.locket.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.locket.worker.QueueOrder;
import io.locket.worker.WorkerThreads;

/**
 * A group of workers with nothing left open.
 *
 * @param name the name of the group
 * @param property what the names of its properties begin with
 * @param queues its queues, in the order of the list
 * @param order the order in which they are asked
 * @param concurrency how many jobs run at once
 * @param threads on which threads
 * @param batch how many jobs a thread takes at once
 * @param pollInterval the longest time between two looks at the queues
 */
record WorkerGroupSpec(String name, String property, List<ServedQueue> queues, QueueOrder order, int concurrency,
		WorkerThreads threads, int batch, Duration pollInterval) {

	/**
	 * The name of the group that serves {@code locket.worker.queues}.
	 */
	static final String DEFAULT = "default";

	private static final String WORKER = "locket.worker";

	/**
	 * Return the groups that are configured: the one without a name if it has queues, and
	 * those with names.
	 * @param worker the properties
	 * @return the groups, none if no queue is configured
	 */
	static List<WorkerGroupSpec> of(WorkerProperties worker) {
		List<WorkerGroupSpec> groups = new ArrayList<>();
		if (!worker.getQueues().isEmpty()) {
			groups.add(of(DEFAULT, WORKER, worker.getQueues(), worker, new WorkerProperties.Group()));
		}
		worker.getGroups()
			.forEach((name, group) -> groups
				.add(of(name, WORKER + ".groups." + name, group.getQueues(), worker, group)));
		return groups;
	}

	private static WorkerGroupSpec of(String name, String property, List<String> queues, WorkerProperties worker,
			WorkerProperties.Group group) {
		return new WorkerGroupSpec(name, property, queues.stream().map(ServedQueue::parse).toList(),
				Objects.requireNonNullElse(group.getOrder(), worker.getOrder()),
				Objects.requireNonNullElse(group.getConcurrency(), worker.getConcurrency()),
				Objects.requireNonNullElse(group.getThreads(), worker.getThreads()),
				Objects.requireNonNullElse(group.getBatch(), worker.getBatch()),
				Objects.requireNonNullElse(group.getPollInterval(), worker.getPollInterval()));
	}

}
