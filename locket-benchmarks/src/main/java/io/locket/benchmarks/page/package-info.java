/**
 * Text made of results: what a run prints, and the page of the documentation.
 */
@NullMarked
package io.locket.benchmarks.page;

import org.jspecify.annotations.NullMarked;
