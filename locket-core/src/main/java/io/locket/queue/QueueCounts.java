package io.locket.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

import io.locket.JobState;

/**
 * Counters of a queue. At every instant
 * {@code accepted + movedIn = jobs in any state + unreadable + lost + movedOut}. Jobs
 * that ended or were lost stay counted, until the counters of a removed queue are
 * deleted.
 *
 * @param queue the name of the queue
 * @param paused whether it is paused
 * @param accepted the number of jobs it has accepted
 * @param movedIn the number of jobs moved in from other queues
 * @param movedOut the number of jobs moved out to other queues
 * @param states the number of jobs that are in each state, or ever ended in it; contains
 * every state
 * @param deadLetters the current number of dead letters: jobs that died in the queue,
 * without those requeued, dismissed or deleted since
 * @param unreadable the current number of jobs that are set aside because their records
 * cannot be read
 * @param lost the number of jobs that were lost with their records, which were deleted by
 * hand, or discarded because they could not be read
 */
public record QueueCounts(String queue, boolean paused, long accepted, long movedIn, long movedOut,
		Map<JobState, Long> states, long deadLetters, long unreadable, long lost) {

	public QueueCounts {
		Map<JobState, Long> ordered = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			ordered.put(state, states.getOrDefault(state, 0L));
		}
		states = Collections.unmodifiableMap(ordered);
	}

	/**
	 * Returns the number of jobs that are in a state, or ended in it.
	 * @param state the state
	 * @return the number
	 */
	public long in(JobState state) {
		return this.states.getOrDefault(state, 0L);
	}

}
