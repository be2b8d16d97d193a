package io.locket.queue.spi;

import java.time.Instant;

import io.locket.queue.DueTime;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Query for the due times of scheduled jobs in a {@link JobStore}. Immutable.
 *
 * @param queue the queue
 * @param from the earliest time, rounded up to a millisecond, or {@code null} for all
 * @param limit the maximum number of times, from 1 to 100
 */
public record DueTimeQuery(String queue, @Nullable Instant from, int limit) {

	public DueTimeQuery {
		Assert.isTrue(limit >= 1 && limit <= 100, () -> "1 to 100 due times are listed at once, not " + limit);
		from = (from != null) ? DueTime.roundUp(from) : null;
	}

}
