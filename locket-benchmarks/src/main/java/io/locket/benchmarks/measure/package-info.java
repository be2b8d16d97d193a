/**
 * Measuring: variants that take turns, medians of ratios, gates, and the report.
 */
@NullMarked
package io.locket.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
