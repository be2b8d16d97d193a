package io.locket.queue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The answer to the ends of some runs and to the reservation that was asked for with
 * them.
 *
 * @param ends an answer for each end, in their order
 * @param next the reservation, or {@code null} if none was asked for
 */
public record Settlement(List<EndResult> ends, @Nullable Reservation next) {

}
