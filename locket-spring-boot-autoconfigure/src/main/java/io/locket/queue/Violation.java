package io.locket.queue;

/**
 * Something in the store that contradicts the invariants of the queue.
 *
 * @param subject the job, key or queue concerned
 * @param description what is wrong
 * @param mended whether it was mended
 */
public record Violation(String subject, String description, boolean mended) {

}
