/**
 * Auto-configuration of the MDC and of observations of jobs. Not part of the API.
 */
@NullMarked
package io.locket.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
