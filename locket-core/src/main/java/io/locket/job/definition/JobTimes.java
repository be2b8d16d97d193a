package io.locket.job.definition;

import java.time.Duration;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Durations of a job. Immutable.
 *
 * @param leaseFor the duration of a lease without a heartbeat
 * @param waitFor the maximum wait of {@link ConflictStrategy#WAIT}, zero for none
 * @param rescheduleAfter the delay of {@link ConflictStrategy#RESCHEDULE}
 * @param holdAtLeast the minimum hold, zero for none
 * @param maxDelay the maximum delay to which {@link DuplicateStrategy#REPLACE} may move
 * the due time, or {@code null} for no limit
 */
public record JobTimes(Duration leaseFor, Duration waitFor, Duration rescheduleAfter, Duration holdAtLeast,
		@Nullable Duration maxDelay) {

	private static final Duration RESCHEDULE_AFTER = Duration.ofSeconds(5);

	/**
	 * Returns the times that an annotation states, or else their defaults.
	 */
	static JobTimes of(JobAttributes attributes, Duration leaseFor) {
		return new JobTimes(orElse(attributes.duration("leaseFor", false), leaseFor),
				orElse(attributes.duration("waitFor", false), Duration.ZERO),
				orElse(attributes.duration("rescheduleAfter", false), RESCHEDULE_AFTER),
				orElse(attributes.duration("holdAtLeast", true), Duration.ZERO),
				attributes.duration("maxDelay", false));
	}

	private static Duration orElse(@Nullable Duration duration, Duration fallback) {
		return Objects.requireNonNullElse(duration, fallback);
	}

}
