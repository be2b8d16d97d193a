package io.locket.event;

import java.time.Instant;

/**
 * Event for a firing whose job could not be enqueued. The firing is tried again as long
 * as its schedule catches up. Published when a schedule begins to fail. It is not
 * published again before the schedule has fired, or was given up for that time.
 *
 * @param schedule the name of the schedule
 * @param job the name of its job
 * @param time the fire time
 * @param error the reason for which the job could not be enqueued
 */
public record ScheduleFailed(String schedule, String job, Instant time, String error) implements ScheduleEvent {

}
