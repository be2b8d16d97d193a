package io.locket.queue;

/**
 * A run whose leases are to be renewed.
 *
 * @param id the id of the job
 * @param token the token of the run
 */
public record RunToken(String id, String token) {

}
