/**
 * Auto-configuration of the MDC and of observations of jobs.
 */
@NullMarked
package io.locket.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
