/**
 * Enqueuing: the producer and the state of unique jobs.
 */
@NullMarked
package io.locket.job;

import org.jspecify.annotations.NullMarked;
