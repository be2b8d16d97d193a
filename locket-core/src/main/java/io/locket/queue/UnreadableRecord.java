package io.locket.queue;

import io.locket.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Record of a job that this version of Locket cannot read. It is set aside: no worker of
 * this version takes it, and it does not delay other jobs. Immutable.
 *
 * @param id the id of the job
 * @param version the version of the format, if only a later version of Locket reads it,
 * or {@code null} if it is damaged
 * @param queue the queue that counted the job, or {@code null} if unknown
 * @param state the state in which the queue counted it, or {@code null} if unknown, or if
 * the job has ended
 * @param text the stored record, including the arguments of the job
 */
public record UnreadableRecord(String id, @Nullable Integer version, @Nullable String queue, @Nullable JobState state,
		String text) {

	/**
	 * Describes the job without its record, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "unreadable record of job " + this.id + " (version " + this.version + ", " + this.state + " in queue "
				+ this.queue + ")";
	}

}
