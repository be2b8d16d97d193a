package io.locket.event;

/**
 * Event for workers that were quieted. Published by the process whose call to the store
 * caused it.
 *
 * @param instance the process of the workers
 */
public record WorkersQuieted(String instance) implements JobEvent {

}
