package io.locket.job.definition;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Attempts of the queued runs of a job. Immutable.
 *
 * @param retries the number of failed attempts that are followed by another one
 * @param backoff the delay before the second attempt, or {@code null} for the common
 * default
 * @param noRetryFor the failures that are not followed by another attempt
 * @param timeout the maximum time of a run, or {@code null} for no limit
 */
public record JobRetry(int retries, @Nullable Duration backoff, Set<Class<? extends Throwable>> noRetryFor,
		@Nullable Duration timeout) {

	public JobRetry {
		noRetryFor = Collections.unmodifiableSet(new LinkedHashSet<>(noRetryFor));
	}

	/**
	 * Returns whether a failure is not followed by another attempt.
	 * @param failure the failure
	 * @return whether it is the last one
	 */
	public boolean isFinal(Throwable failure) {
		return this.noRetryFor.stream().anyMatch((type) -> type.isInstance(failure));
	}

}
