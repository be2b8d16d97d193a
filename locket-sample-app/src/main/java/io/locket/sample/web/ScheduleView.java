package io.locket.sample.web;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

import io.locket.queue.JobRecord;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * JSON view of a schedule.
 *
 * @param name its name
 * @param description its description, or {@code null}
 * @param job the name of its job
 * @param cron the cron expression, or {@code null} if it has an interval
 * @param zone the time zone of the cron expression, or {@code null} if there is none
 * @param every the interval, or {@code null} if there is a cron expression
 * @param origin its origin
 * @param enabled whether it is enabled
 * @param paused whether it is paused
 * @param last the last fire time, or {@code null}
 * @param firing the result of the last firing, or {@code null}
 * @param next the next fire time, or {@code null} if there is none
 */
record ScheduleView(String name, @Nullable String description, String job, @Nullable String cron, @Nullable String zone,
		@Nullable String every, ScheduleOrigin origin, boolean enabled, boolean paused, @Nullable Instant last,
		@Nullable FiringView firing, @Nullable Instant next) {

	static ScheduleView of(ScheduleStatus status, Function<String, Optional<JobRecord>> jobs) {
		ScheduleDefinition definition = status.definition();
		String every = (definition.every() != null) ? DurationFormatterUtils.print(definition.every(), Style.COMPOSITE)
				: null;
		String zone = (definition.cron() != null) ? definition.zone().getId() : null;
		FiringView firing = (status.lastResult() != null) ? FiringView.of(status.lastResult(), jobs) : null;
		return new ScheduleView(status.name(), definition.description(), definition.job(), definition.cron(), zone,
				every, definition.origin(), definition.enabled(), status.paused(), status.lastFired(), firing,
				status.nextFiring());
	}

}
