/**
 * Benchmark of the start of an application.
 */
@NullMarked
package io.locket.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
