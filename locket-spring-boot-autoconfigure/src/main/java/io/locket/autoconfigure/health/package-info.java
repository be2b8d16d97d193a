/**
 * Auto-configuration of Locket's health. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
