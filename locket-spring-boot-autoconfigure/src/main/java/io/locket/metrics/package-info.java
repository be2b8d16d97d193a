/**
 * Meters, fed by events.
 */
@NullMarked
package io.locket.metrics;

import org.jspecify.annotations.NullMarked;
