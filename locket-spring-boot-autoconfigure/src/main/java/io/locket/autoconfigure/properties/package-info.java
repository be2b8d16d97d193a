/**
 * The configuration properties of Locket and their validation. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
