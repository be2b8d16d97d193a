package io.locket.worker;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Status of the workers of this process. Immutable.
 *
 * @param groups the groups of workers
 * @param stalled the reason why a thread is stalled, and the remedy, or {@code null} if
 * none is. A worker that is stopped, or whose store does not respond, is not stalled
 * @param failing the time for which no call of the workers has succeeded and the last
 * failure, or {@code null} if one has succeeded lately
 */
public record WorkerStatus(List<Group> groups, @Nullable String stalled, @Nullable String failing) {

	public WorkerStatus {
		groups = List.copyOf(groups);
	}

	/**
	 * Status of a group of workers.
	 *
	 * @param name the name of the group
	 * @param queues the queues that it serves
	 * @param concurrency the number of jobs that run at once
	 * @param running the number of jobs that are running
	 */
	public record Group(String name, List<String> queues, int concurrency, int running) {

		public Group {
			queues = List.copyOf(queues);
		}

	}

}
