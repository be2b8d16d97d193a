package io.locket.job;

import java.util.Objects;

import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Template of a job that is enqueued repeatedly, possibly by another process. Immutable.
 *
 * @param job the name of the job
 * @param arguments its arguments as a JSON array
 * @param queue the queue, or {@code null} for that of the job
 */
public record JobTemplate(String job, String arguments, @Nullable String queue) {

	public JobTemplate {
		Assert.hasText(job, "'job' must not be empty");
		Objects.requireNonNull(arguments, "'arguments' must not be null");
		if (queue != null) {
			QueueNames.require(queue);
		}
	}

	/**
	 * Describes the job without its arguments, which must not appear in logs.
	 */
	@Override
	public String toString() {
		return "'" + this.job + "'" + ((this.queue != null) ? " in queue '" + this.queue + "'" : "");
	}

}
