package io.locket.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.locket.queue.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * A submitted job and its result. Immutable.
 *
 * @param id the id of the submission
 * @param job the name of the job
 * @param arguments the arguments as the method of the job receives them
 * @param queue the queue
 * @param dueAt the requested due time, by the clock of the test; the job may have another
 * one, such as after a replacement
 * @param delay the delay of that time, zero for at once
 * @param result the result
 * @param json the arguments as JSON
 */
public record EnqueuedJob(String id, String job, List<@Nullable Object> arguments, String queue, Instant dueAt,
		Duration delay, EnqueueResult result, String json) {

	/**
	 * Returns whether the job was accepted.
	 * @return {@code false} if it was a duplicate or replaced the arguments of another
	 * job
	 */
	public boolean isAccepted() {
		return this.result instanceof EnqueueResult.Accepted;
	}

	/**
	 * Returns a description with the call, the queue, the due time and the result.
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
