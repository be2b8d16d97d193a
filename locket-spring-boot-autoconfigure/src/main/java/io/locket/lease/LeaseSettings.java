package io.locket.lease;

import java.time.Duration;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * How a {@link LeaseService} works.
 *
 * @param duration how long a lease lasts without a heartbeat, unless a request says so
 * @param commandTimeout how long a command may take
 * @param instance the name of this process in holder records
 * @param mask whether the keys of programmatic leases are masked
 * @param waitReplicas how many replicas must have a lease before it counts
 */
public record LeaseSettings(Duration duration, Duration commandTimeout, String instance, boolean mask,
		int waitReplicas) {

	public LeaseSettings {
		Objects.requireNonNull(duration, "'duration' must not be null");
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		Objects.requireNonNull(instance, "'instance' must not be null");
		Assert.isTrue(waitReplicas >= 0, "'waitReplicas' must not be negative");
		requireRoom(duration, commandTimeout);
	}

	/**
	 * Return the duration that a request asks for.
	 * @param request the request
	 * @return its duration, or the one that is set
	 * @throws IllegalArgumentException if it is shorter than three command timeouts
	 */
	public Duration durationOf(LeaseRequest request) {
		Duration asked = request.duration();
		if (asked == null) {
			return this.duration;
		}
		requireRoom(asked, this.commandTimeout);
		return asked;
	}

	/**
	 * A renewal that is answered late must not have waited for more than a third of the
	 * lease.
	 */
	private static void requireRoom(Duration duration, Duration commandTimeout) {
		Assert.isTrue(commandTimeout.multipliedBy(3).compareTo(duration) <= 0,
				() -> "A lease of " + duration.toMillis() + " ms is too short for a command timeout of "
						+ commandTimeout.toMillis()
						+ " ms: it must last for at least three of them. Lengthen the lease, or"
						+ " shorten locket.redis.command-timeout");
	}

}
