/**
 * Meters that are recorded from events.
 */
@NullMarked
package io.locket.metrics;

import org.jspecify.annotations.NullMarked;
