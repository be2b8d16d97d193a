package io.locket.event;

/**
 * Event for a job whose enqueue the store did not confirm. If the store did not reply, or
 * the caller was interrupted while it waited for a reply, it is unknown whether the job
 * exists. If the store refused the job, for instance because it is full, the job does not
 * exist and the error states the reason.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param error the description of the store's error
 */
public record EnqueueUnavailable(String id, String job, String queue, String error) implements QueueEvent {

}
