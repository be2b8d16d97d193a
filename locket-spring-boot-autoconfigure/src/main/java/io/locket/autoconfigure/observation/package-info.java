/**
 * Auto-configuration of what logs and traces tell of jobs.
 */
@NullMarked
package io.locket.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
