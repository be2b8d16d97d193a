/**
 * Auto-configuration of Locket's meters. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
