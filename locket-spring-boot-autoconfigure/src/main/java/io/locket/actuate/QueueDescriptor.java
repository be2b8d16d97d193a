package io.locket.actuate;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * A queue in figures.
 *
 * @param queue the name
 * @param paused whether it is paused
 * @param scheduled how many jobs wait for their due time
 * @param ready how many wait for a worker
 * @param parked how many wait for the lease of their key
 * @param retry how many wait for a retry
 * @param running how many a worker has
 * @param deadLetters how many dead letters there are
 * @param oldestWaitingMs for how long the one of those that are ready or parked waits
 * that waits the longest, in milliseconds, or {@code null} if none waits
 * @param accepted how many jobs it has ever accepted
 * @param movedIn how many ever came from other queues
 * @param movedOut how many ever went to other queues
 * @param ended how many ever ended in each state
 */
public record QueueDescriptor(String queue, boolean paused, long scheduled, long ready, long parked, long retry,
		long running, long deadLetters, @Nullable Long oldestWaitingMs, long accepted, long movedIn, long movedOut,
		Map<JobState, Long> ended) {

	static QueueDescriptor of(QueueCounts counts, @Nullable Duration oldestWaiting) {
		Map<JobState, Long> ended = new EnumMap<>(counts.states());
		ended.keySet().removeIf((state) -> !state.isEnded());
		return new QueueDescriptor(counts.queue(), counts.paused(), counts.in(JobState.SCHEDULED),
				counts.in(JobState.READY), counts.in(JobState.PARKED), counts.in(JobState.RETRY),
				counts.in(JobState.RUNNING), counts.deadLetters(), Milliseconds.of(oldestWaiting), counts.accepted(),
				counts.movedIn(), counts.movedOut(), ended);
	}

}
