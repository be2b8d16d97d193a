package io.locket.actuate.descriptor;

import java.time.Instant;

import io.locket.queue.FailedAttempt;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt of a job. Times are those of the store.
 *
 * @param number the number of the attempt, from 1
 * @param startedAt the time of its reservation
 * @param endedAt the time of its end
 * @param instance the process of its run, or {@code null}
 * @param error the class and the message of the failure, or the reason, with a message
 * that may be masked, or {@code null}
 * @param stackTrace the stack trace, with messages that may be masked, or {@code null} if
 * no body ran
 */
public record AttemptDescriptor(int number, Instant startedAt, Instant endedAt, @Nullable String instance,
		@Nullable String error, @Nullable String stackTrace) {

	static AttemptDescriptor of(String job, FailedAttempt attempt, ArgumentMask mask) {
		return new AttemptDescriptor(attempt.number(), attempt.startedAt(), attempt.endedAt(), attempt.instance(),
				mask.error(job, attempt.error()), mask.stackTrace(job, attempt.stackTrace()));
	}

}
