/**
 * The application that the benchmarks run: Locket as a user has it.
 */
@NullMarked
package io.locket.benchmarks.app;

import org.jspecify.annotations.NullMarked;
