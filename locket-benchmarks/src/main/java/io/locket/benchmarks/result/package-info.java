/**
 * Results of runs as plain records, and the file that keeps them.
 */
@NullMarked
package io.locket.benchmarks.result;

import org.jspecify.annotations.NullMarked;
