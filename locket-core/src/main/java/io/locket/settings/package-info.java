/**
 * The settings in effect in this process, for applications and operators that read them.
 */
@NullMarked
package io.locket.settings;

import org.jspecify.annotations.NullMarked;
