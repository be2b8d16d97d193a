package io.locket.event;

import java.time.Duration;

import io.locket.JobKey;
import io.locket.LeaseKind;

/**
 * Event for a lease that its holder released. A lost lease is never released.
 *
 * @param key the key
 * @param fencingToken the fencing token, or {@code 0} if the store has no fence
 * @param held the time for which it was held, by the holder's monotonic clock
 */
public record LeaseReleased(JobKey key, long fencingToken, Duration held) implements LeaseEvent {

	@Override
	public LeaseKind kind() {
		return LeaseKind.ofJob(this.key.job());
	}

}
