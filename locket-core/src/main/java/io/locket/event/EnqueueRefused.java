package io.locket.event;

/**
 * Event for a job that an {@code EnqueueGuard} of the application refused. Published by
 * the process that enqueues. Refused firings of schedules publish a
 * {@link ScheduleFailed} instead.
 *
 * @param id the intended id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param reason the reason given by the guard
 */
public record EnqueueRefused(String id, String job, String queue, String reason) implements QueueEvent {

}
