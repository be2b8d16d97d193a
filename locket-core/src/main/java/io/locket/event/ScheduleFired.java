package io.locket.event;

import java.time.Duration;
import java.time.Instant;

/**
 * Event for a firing of a schedule. Published once for each firing, unless the reply of
 * the store was lost.
 *
 * @param schedule the name of the schedule
 * @param job the name of its job
 * @param time the fire time
 * @param late the delay of the firing, by the clock of the store
 * @param madeUp whether the firing was missed and made up
 * @param id the id of the job of this firing
 * @param duplicate whether the job was not enqueued because another job has its key;
 * {@link JobDuplicated} names that one
 */
public record ScheduleFired(String schedule, String job, Instant time, Duration late, boolean madeUp, String id,
		boolean duplicate) implements ScheduleEvent {

}
