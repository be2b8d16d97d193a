/**
 * Requests for jobs: the order of the queues, their filters, and idle slots.
 */
@NullMarked
package io.locket.worker.reservation;

import org.jspecify.annotations.NullMarked;
