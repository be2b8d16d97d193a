package io.locket.benchmarks.result;

/**
 * Figures of a variant as multiples of those of a peer: medians over the ratios of each
 * round.
 *
 * @param peer the name of the peer
 * @param rate the rate
 * @param redisMicros the time of Redis for an operation, 0 if the peer does not use Redis
 * @param redisCpuMicros the CPU time of Redis for an operation, 0 if the peer does not
 * use Redis
 */
public record Multiples(String peer, double rate, double redisMicros, double redisCpuMicros) {

}
