/**
 * The configuration properties of Locket and their validation.
 */
@NullMarked
package io.locket.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
