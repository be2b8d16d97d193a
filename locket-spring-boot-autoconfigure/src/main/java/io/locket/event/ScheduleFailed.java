package io.locket.event;

import java.time.Instant;

/**
 * The job of a firing could not be enqueued. The firing is tried again as long as its
 * schedule catches up. Published when a schedule begins to fail, and not again before it
 * has fired, or was given up for that time.
 *
 * @param schedule the name of the schedule
 * @param job the name of its job
 * @param time the time for which it was to fire
 * @param error why the job could not be enqueued
 */
public record ScheduleFailed(String schedule, String job, Instant time, String error) implements ScheduleEvent {

}
