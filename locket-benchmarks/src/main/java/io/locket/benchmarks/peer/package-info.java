/**
 * Workers of other products.
 */
@NullMarked
package io.locket.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
