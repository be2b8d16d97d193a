/**
 * The jobs: which methods are annotated, what their annotations mean, and what cannot
 * work.
 */
@NullMarked
package io.locket.job;

import org.jspecify.annotations.NullMarked;
