/**
 * Auto-configuration of Locket's Actuator endpoint.
 */
@NullMarked
package io.locket.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
