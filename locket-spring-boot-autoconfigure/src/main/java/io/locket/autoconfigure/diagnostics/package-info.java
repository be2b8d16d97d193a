/**
 * Invalid configuration and its failure analyses. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
