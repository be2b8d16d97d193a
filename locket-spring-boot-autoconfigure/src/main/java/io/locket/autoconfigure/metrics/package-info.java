/**
 * Auto-configuration of Locket's meters.
 */
@NullMarked
package io.locket.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
