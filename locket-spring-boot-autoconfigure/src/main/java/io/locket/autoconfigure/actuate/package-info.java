/**
 * Auto-configuration of Locket's Actuator endpoint. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
