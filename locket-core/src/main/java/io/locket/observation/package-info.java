/**
 * Logging context and Micrometer observations of enqueuing and runs.
 */
@NullMarked
package io.locket.observation;

import org.jspecify.annotations.NullMarked;
