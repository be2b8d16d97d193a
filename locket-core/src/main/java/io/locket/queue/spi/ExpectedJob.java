package io.locket.queue.spi;

import java.time.Instant;
import java.util.Set;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Expected state of a job, for an optimistic update. Immutable.
 *
 * @param id the id
 * @param states the states of which the job must still be in one; empty for any
 * @param queue the queue in which it must still be, or {@code null} for any
 * @param arguments the arguments that it must still have, as JSON, or {@code null} for
 * any; a replacement changes them
 * @param due the due time that it must still have, or {@code null} for any; a replacement
 * changes it
 */
public record ExpectedJob(String id, Set<JobState> states, @Nullable String queue, @Nullable String arguments,
		@Nullable Instant due) {

	public ExpectedJob {
		states = Set.copyOf(states);
	}

	/**
	 * Creates an expectation that any state of the job meets.
	 * @param id the id
	 * @return the expected job
	 */
	public static ExpectedJob of(String id) {
		return new ExpectedJob(id, Set.of(), null, null, null);
	}

	/**
	 * Describes the job without its arguments, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "job " + this.id + (this.states.isEmpty() ? "" : " in " + this.states)
				+ ((this.queue != null) ? " of queue " + this.queue : "");
	}

}
