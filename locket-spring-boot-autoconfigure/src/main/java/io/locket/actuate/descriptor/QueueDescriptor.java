package io.locket.actuate.descriptor;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a queue.
 *
 * @param queue the name
 * @param paused whether it is paused
 * @param scheduled the number of jobs that wait for their due time
 * @param ready the number of jobs that wait for a worker
 * @param parked the number of jobs that wait for the lease of their key
 * @param retry the number of jobs that wait for a retry
 * @param running the number of running jobs
 * @param deadLetters the number of dead letters
 * @param oldestWaitingMs the longest waiting time of a ready or parked job, in
 * milliseconds, or {@code null} if none waits
 * @param accepted the number of jobs ever accepted
 * @param movedIn the number of jobs ever moved from other queues
 * @param movedOut the number of jobs ever moved to other queues
 * @param ended the number of jobs that ever ended, by state
 * @param unreadable the number of jobs that are set aside because their records cannot be
 * read, or {@code null} for none
 * @param lost the number of jobs that were ever lost with their records, or {@code null}
 * for none
 */
public record QueueDescriptor(String queue, boolean paused, long scheduled, long ready, long parked, long retry,
		long running, long deadLetters, @Nullable Long oldestWaitingMs, long accepted, long movedIn, long movedOut,
		Map<JobState, Long> ended, @Nullable Long unreadable, @Nullable Long lost) {

	public static QueueDescriptor of(QueueCounts counts, @Nullable Duration oldestWaiting) {
		Map<JobState, Long> ended = new EnumMap<>(counts.states());
		ended.keySet().removeIf((state) -> !state.isEnded());
		return new QueueDescriptor(counts.queue(), counts.paused(), counts.in(JobState.SCHEDULED),
				counts.in(JobState.READY), counts.in(JobState.PARKED), counts.in(JobState.RETRY),
				counts.in(JobState.RUNNING), counts.deadLetters(), Milliseconds.of(oldestWaiting), counts.accepted(),
				counts.movedIn(), counts.movedOut(), ended, orNull(counts.unreadable()), orNull(counts.lost()));
	}

	private static @Nullable Long orNull(long count) {
		return (count != 0) ? count : null;
	}

}
