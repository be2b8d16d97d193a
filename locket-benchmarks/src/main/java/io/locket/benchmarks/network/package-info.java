/**
 * Benchmarks over a network with latency.
 */
@NullMarked
package io.locket.benchmarks.network;

import org.jspecify.annotations.NullMarked;
