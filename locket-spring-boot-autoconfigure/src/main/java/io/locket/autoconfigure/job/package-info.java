/**
 * Auto-configuration of job declarations and of the guard of direct calls. Not part of
 * the API.
 */
@NullMarked
package io.locket.autoconfigure.job;

import org.jspecify.annotations.NullMarked;
