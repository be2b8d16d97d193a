package io.locket.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import io.locket.JobState;

/**
 * The counters of a queue. At every instant
 * {@code accepted + movedIn = jobs in any state + movedOut}, where jobs that ended are
 * counted for ever.
 *
 * @param queue the name of the queue
 * @param paused whether it is paused
 * @param accepted how many jobs it has accepted
 * @param movedIn how many came from other queues
 * @param movedOut how many went to other queues
 * @param states how many jobs are in each state, or ever ended in it; every state is
 * there
 * @param deadLetters how many dead letters the queue has now: jobs that died in it, but
 * for those that were put back, dismissed or forgotten since
 */
public record QueueCounts(String queue, boolean paused, long accepted, long movedIn, long movedOut,
		Map<JobState, Long> states, long deadLetters) {

	public QueueCounts {
		Map<JobState, Long> ordered = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			ordered.put(state, states.getOrDefault(state, 0L));
		}
		states = Collections.unmodifiableMap(ordered);
	}

	/**
	 * Return how many jobs are in a state, or ended in it.
	 * @param state the state
	 * @return the number
	 */
	public long in(JobState state) {
		return this.states.getOrDefault(state, 0L);
	}

}
