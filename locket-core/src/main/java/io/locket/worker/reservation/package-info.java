/**
 * Requests for jobs: the order of the queues, their filters, and idle slots. Not part of
 * the API, except {@link io.locket.worker.reservation.QueueReservationFilter}.
 */
@NullMarked
package io.locket.worker.reservation;

import org.jspecify.annotations.NullMarked;
