/**
 * Benchmarks of Locket: the command line and the parts that it runs.
 */
@NullMarked
package io.locket.benchmarks;

import org.jspecify.annotations.NullMarked;
