package io.locket.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Which due times of scheduled jobs a {@link JobStore} is to list. Immutable.
 *
 * @param queue the queue
 * @param from the earliest time, rounded up to a millisecond, or {@code null} for all
 * @param limit how many times at most, from 1 to 100
 */
public record DueTimeListing(String queue, @Nullable Instant from, int limit) {

	public DueTimeListing {
		Assert.isTrue(limit >= 1 && limit <= 100, () -> "1 to 100 due times are listed at once, not " + limit);
		from = (from != null) ? DueTime.roundUp(from) : null;
	}

}
