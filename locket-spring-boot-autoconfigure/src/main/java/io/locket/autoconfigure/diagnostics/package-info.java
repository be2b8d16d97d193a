/**
 * Invalid configuration, its failure analyses, and the keys as they are written. Not part
 * of the API.
 */
@NullMarked
package io.locket.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
