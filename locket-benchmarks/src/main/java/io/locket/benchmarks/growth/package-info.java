/**
 * Benchmarks of operations beside many queued jobs and many parked keys.
 */
@NullMarked
package io.locket.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
