/**
 * Invalid configuration and its failure analyses.
 */
@NullMarked
package io.locket.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
