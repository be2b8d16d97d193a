package io.locket.queue;

/**
 * Violation of an invariant of the queue in the store.
 *
 * @param subject the affected job, key or queue
 * @param description a description of the violation
 * @param repaired whether the violation was repaired
 */
public record Violation(String subject, String description, boolean repaired) {

}
