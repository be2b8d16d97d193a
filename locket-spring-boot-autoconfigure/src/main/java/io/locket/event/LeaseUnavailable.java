package io.locket.event;

import io.locket.JobKey;

/**
 * The lease store gave no answer when a lease was asked for.
 *
 * @param key the key
 * @param error the store's error, in words
 */
public record LeaseUnavailable(JobKey key, String error) implements LeaseEvent {

}
