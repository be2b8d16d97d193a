package io.locket.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * A job that somebody wanted to enqueue, and what became of it. Immutable.
 *
 * @param id the id that the job was given
 * @param job the name of the job
 * @param arguments the arguments, as the job's method would get them
 * @param queue the queue
 * @param dueAt when it was to run, by the clock of the test
 * @param delay how long after it was enqueued that is, zero for at once
 * @param result what became of it
 * @param json the arguments as JSON
 */
public record EnqueuedJob(String id, String job, List<@Nullable Object> arguments, String queue, Instant dueAt,
		Duration delay, EnqueueResult result, String json) {

	/**
	 * Return whether the job was accepted.
	 * @return {@code false} if it was a duplicate, or replaced the arguments of another
	 * one
	 */
	public boolean isAccepted() {
		return this.result instanceof EnqueueResult.Accepted;
	}

	/**
	 * Tells the call, the queue, the time and the result.
	 */
	@Override
	public String toString() {
		String call = this.arguments.stream()
			.map(EnqueuedJob::text)
			.reduce((left, right) -> left + ", " + right)
			.orElse("");
		String due = this.delay.isZero() ? "" : " after " + this.delay;
		return this.job + "(" + call + ") into queue '" + this.queue + "'" + due + ": "
				+ this.result.getClass().getSimpleName().toLowerCase(Locale.ROOT);
	}

	private static String text(@Nullable Object argument) {
		if (argument instanceof CharSequence) {
			return "\"" + argument + "\"";
		}
		String text = Arrays.deepToString(new @Nullable Object[] { argument });
		return text.substring(1, text.length() - 1);
	}

}
