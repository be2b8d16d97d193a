package io.locket.event;

import java.time.Duration;
import java.time.Instant;

/**
 * A schedule has fired. Published once for each firing, unless the answer of the store
 * was lost.
 *
 * @param schedule the name of the schedule
 * @param job the name of its job
 * @param time the time for which it fired
 * @param late how much later that was, by the clock of the store
 * @param madeUp whether the firing was missed, and made up for
 * @param id the id that the firing gives its job
 * @param duplicate whether the job was not enqueued, since another one of its key is
 * there; {@link JobDuplicated} tells which
 */
public record ScheduleFired(String schedule, String job, Instant time, Duration late, boolean madeUp, String id,
		boolean duplicate) implements ScheduleEvent {

}
