/**
 * Auto-configuration of Locket's health.
 */
@NullMarked
package io.locket.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
