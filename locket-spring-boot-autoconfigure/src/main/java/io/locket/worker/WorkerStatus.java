package io.locket.worker;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How the workers of this process are. Immutable.
 *
 * @param groups the groups of workers
 * @param stalled what keeps a thread of them from its work, and what to do, or
 * {@code null} if nothing does; a worker that does not run is not stalled, and neither is
 * one whose store gives no answer
 * @param unanswered for how long the store has answered no call of the workers, and what
 * it failed with last, or {@code null} if it has answered lately; a store that refuses
 * their calls does not answer them, whatever else it answers
 */
public record WorkerStatus(List<Group> groups, @Nullable String stalled, @Nullable String unanswered) {

	public WorkerStatus {
		groups = List.copyOf(groups);
	}

	/**
	 * A group of workers.
	 *
	 * @param name the name of the group
	 * @param queues the queues that it serves
	 * @param concurrency how many jobs it runs at once
	 * @param running how many it runs now
	 */
	public record Group(String name, List<String> queues, int concurrency, int running) {

		public Group {
			queues = List.copyOf(queues);
		}

	}

}
