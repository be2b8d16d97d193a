/**
 * Benchmarks of locks.
 */
@NullMarked
package io.locket.benchmarks.lock;

import org.jspecify.annotations.NullMarked;
