/**
 * Auto-configuration and its properties.
 */
@NullMarked
package io.locket.autoconfigure;

import org.jspecify.annotations.NullMarked;
