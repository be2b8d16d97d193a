package io.locket.event;

/**
 * The store gave no answer when a job was to be enqueued: whether it is there is not
 * known.
 *
 * @param id the id of the job
 * @param job the name of the job
 * @param queue the queue
 * @param error the store's error, in words
 */
public record EnqueueUnavailable(String id, String job, String queue, String error) implements QueueEvent {

}
