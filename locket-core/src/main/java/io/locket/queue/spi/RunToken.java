package io.locket.queue.spi;

/**
 * Identity of a run, for the renewal of its leases.
 *
 * @param id the id of the job
 * @param token the token of the run
 */
public record RunToken(String id, String token) {

}
