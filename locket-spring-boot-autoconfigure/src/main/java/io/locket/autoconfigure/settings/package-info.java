/**
 * Auto-configuration of the settings in effect. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
