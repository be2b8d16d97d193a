package io.locket.queue;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Failed attempt of a job. Immutable. Times are by the clock of the store.
 *
 * @param number the number of the attempt, from 1
 * @param startedAt the time when its run was handed out
 * @param endedAt the time when its failure was stored
 * @param instance the process of the run, or {@code null} if it is not known
 * @param error the class of the failure, and its message unless the job masks its
 * arguments; the reason if no failure was thrown; or {@code null} if there is neither
 * @param stackTrace the stack trace, of at most {@value #MAX_TRACE_BYTES} bytes, or
 * {@code null} if no body ran. It has no messages if the job masks its arguments
 */
public record FailedAttempt(int number, Instant startedAt, Instant endedAt, @Nullable String instance,
		@Nullable String error, @Nullable String stackTrace) {

	/**
	 * Default maximum number of attempts that are kept of a job.
	 */
	public static final int DEFAULT_KEPT = 10;

	/**
	 * Maximum size of a stack trace in UTF-8.
	 */
	public static final int MAX_TRACE_BYTES = 8000;

	public FailedAttempt {
		Objects.requireNonNull(startedAt, "'startedAt' must not be null");
		Objects.requireNonNull(endedAt, "'endedAt' must not be null");
	}

}
