package io.locket.queue.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reply to a {@link ReservationRequest}.
 *
 * @param jobs the jobs that the caller has to run and to end
 * @param cutShort whether more jobs may be available at once, because a bound was reached
 * @param idle the requested queues that have nothing ready, or are at their limit of
 * running jobs. If a reply was not cut short, a queue may be missing here because its
 * jobs leave their keys to older jobs of other queues. Then it has a notification
 * @param next the time after which the caller has to poll again, because something of the
 * namespace may be due, or {@code null} if nothing will be
 */
public record Reservation(List<ReservedJob> jobs, boolean cutShort, Set<String> idle, @Nullable Duration next) {

}
