/**
 * Canonical JSON of arguments, from which the digest of a key is made. Not part of the
 * API.
 */
@NullMarked
package io.locket.key.canonical;

import org.jspecify.annotations.NullMarked;
