/**
 * Auto-configuration of the settings in effect.
 */
@NullMarked
package io.locket.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
