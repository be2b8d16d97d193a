/**
 * Benchmarks of what Locket costs at rest: memory and idle commands.
 */
@NullMarked
package io.locket.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
