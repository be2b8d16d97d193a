/**
 * The Redis of a run, what it spends, and the floor scripts.
 */
@NullMarked
package io.locket.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
