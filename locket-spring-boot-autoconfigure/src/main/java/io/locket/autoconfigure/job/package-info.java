/**
 * Auto-configuration of job declarations and of the guard of direct calls.
 */
@NullMarked
package io.locket.autoconfigure.job;

import org.jspecify.annotations.NullMarked;
