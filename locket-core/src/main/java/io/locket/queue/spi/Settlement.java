package io.locket.queue.spi;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Result of ending some runs and reserving the next jobs.
 *
 * @param ends a result for each end, in their order
 * @param next the reservation, or {@code null} if none was requested
 */
public record Settlement(List<EndResult> ends, @Nullable Reservation next) {

}
