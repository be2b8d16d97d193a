package io.locket.event;

/**
 * The store did not confirm that a job was enqueued. It gave no answer, or the caller was
 * interrupted while it waited for one: then whether the job is there is not known. Or it
 * refused, as a store that is full does, and the error says so: then the job is not
 * there.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param error the store's error, in words
 */
public record EnqueueUnavailable(String id, String job, String queue, String error) implements QueueEvent {

}
