package io.locket.autoconfigure.properties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.locket.autoconfigure.diagnostics.WrittenKeys;
import io.locket.worker.settings.QueueOrder;
import io.locket.worker.settings.WorkerThreads;
import org.jspecify.annotations.Nullable;

/**
 * The complete settings of a group of workers, with all defaults filled in.
 *
 * @param name the name of the group
 * @param property the prefix of its property names
 * @param queues its queues, in the order of the list
 * @param order the order in which they are served
 * @param concurrency the maximum number of jobs that run at once
 * @param threads the kind of threads, or {@code null} for that of the application
 * @param batch the maximum number of jobs that a thread takes at once
 * @param batchHold the maximum time for which a job that has not started is held
 * @param pollInterval the maximum time between two polls of the queues
 */
public record WorkerGroupSpec(String name, String property, List<ServedQueue> queues, QueueOrder order, int concurrency,
		@Nullable WorkerThreads threads, int batch, Duration batchHold, Duration pollInterval) {

	/**
	 * The name of the group that serves {@code locket.worker.queues}.
	 */
	static final String DEFAULT = "default";

	/**
	 * The prefix of the property names that all groups inherit.
	 */
	static final String WORKER = "locket.worker";

	/**
	 * Returns the configured groups: the default group if it has queues, and the named
	 * groups.
	 * @param worker the properties
	 * @return the groups, none if no queue is configured
	 */
	public static List<WorkerGroupSpec> of(WorkerProperties worker) {
		List<WorkerGroupSpec> groups = new ArrayList<>();
		if (!worker.getQueues().isEmpty()) {
			groups.add(of(DEFAULT, WORKER, worker.getQueues(), worker, new WorkerProperties.Group()));
		}
		worker.getGroups()
			.forEach((name, group) -> groups
				.add(of(name, WrittenKeys.property(WORKER + ".groups", name), group.getQueues(), worker, group)));
		return groups;
	}

	/**
	 * Returns the queues of all groups, whether or not this process has workers.
	 * @param worker the properties
	 * @return their names, in alphabetical order
	 */
	public static SortedSet<String> queueNames(WorkerProperties worker) {
		return of(worker).stream()
			.flatMap((group) -> group.queues().stream())
			.map(ServedQueue::name)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Returns the queues that this process serves.
	 * @param worker the properties
	 * @return their names in alphabetical order, none if the workers are disabled
	 */
	public static SortedSet<String> servedQueues(WorkerProperties worker) {
		return worker.isEnabled() ? queueNames(worker) : Collections.emptySortedSet();
	}

	private static WorkerGroupSpec of(String name, String property, List<String> queues, WorkerProperties worker,
			WorkerProperties.Group group) {
		return new WorkerGroupSpec(name, property, queues.stream().map(ServedQueue::parse).toList(),
				Objects.requireNonNullElse(group.getOrder(), worker.getOrder()),
				Objects.requireNonNullElse(group.getConcurrency(), worker.getConcurrency()),
				(group.getThreads() != null) ? group.getThreads() : worker.getThreads(),
				Objects.requireNonNullElse(group.getBatch(), worker.getBatch()),
				Objects.requireNonNullElse(group.getBatchHold(), worker.getBatchHold()),
				Objects.requireNonNullElse(group.getPollInterval(), worker.getPollInterval()));
	}

}
