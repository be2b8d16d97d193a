package io.locket.queue;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link ReservationRequest}.
 *
 * @param jobs the jobs that the caller now has to run and to end
 * @param cutShort whether there may be more to be had at once, since a bound was reached
 * @param idle the queues asked for that have nothing ready, or may not run more
 * @param next how long until something of the namespace is due, or less, or {@code null}
 * if nothing is; also if the caller got all it asked for
 */
public record Reservation(List<ReservedJob> jobs, boolean cutShort, Set<String> idle, @Nullable Duration next) {

}
