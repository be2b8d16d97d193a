package io.locket.queue;

import java.time.Instant;
import java.util.Set;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job as somebody has seen it who means to steer it. Immutable.
 *
 * @param id the id
 * @param states in which of these states it must be still; empty for any
 * @param queue the queue in which it must be still, or {@code null} for any
 * @param arguments the arguments that it must have still, as JSON, or {@code null} for
 * any: they may have been replaced
 * @param due when it must be due still, or {@code null} for any time: it may have been
 * replaced
 */
public record JobSighting(String id, Set<JobState> states, @Nullable String queue, @Nullable String arguments,
		@Nullable Instant due) {

	public JobSighting {
		states = Set.copyOf(states);
	}

	/**
	 * Tell of a job that may be whatever it is.
	 * @param id the id
	 * @return the sighting
	 */
	public static JobSighting of(String id) {
		return new JobSighting(id, Set.of(), null, null, null);
	}

	/**
	 * Names the job without its arguments, which logs are not to have.
	 */
	@Override
	public String toString() {
		return "job " + this.id + (this.states.isEmpty() ? "" : " in " + this.states)
				+ ((this.queue != null) ? " of queue " + this.queue : "");
	}

}
