/**
 * Checks of text that users write. Not part of the API.
 */
@NullMarked
package io.locket.text;

import org.jspecify.annotations.NullMarked;
