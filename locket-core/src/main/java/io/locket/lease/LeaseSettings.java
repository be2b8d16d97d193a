package io.locket.lease;

import java.time.Duration;
import java.util.Objects;

import org.springframework.util.Assert;

/**
 * Settings of a {@link LeaseService}.
 *
 * @param duration the duration of a lease without a heartbeat, unless a request sets one
 * @param commandTimeout the maximum duration of a command
 * @param instance the name of this process in holder records
 * @param mask whether the keys of programmatic leases are masked
 * @param waitReplicas the number of replicas that must confirm a lease before it counts
 */
public record LeaseSettings(Duration duration, Duration commandTimeout, String instance, boolean mask,
		int waitReplicas) {

	public LeaseSettings {
		Objects.requireNonNull(duration, "'duration' must not be null");
		Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		Objects.requireNonNull(instance, "'instance' must not be null");
		Assert.isTrue(waitReplicas >= 0, "'waitReplicas' must not be negative");
		LeaseRequest.requireBounded(duration, "The duration of a lease");
		requireRoom(duration, commandTimeout);
	}

	/**
	 * Returns the duration of a requested lease.
	 * @param request the request
	 * @return its duration, or the default
	 * @throws IllegalArgumentException if it is shorter than three command timeouts
	 */
	public Duration durationOf(LeaseRequest request) {
		Objects.requireNonNull(request, "'request' must not be null");
		Duration requested = request.duration();
		if (requested == null) {
			return this.duration;
		}
		requireRoom(requested, this.commandTimeout);
		return requested;
	}

	/**
	 * Requires a lease of at least three command timeouts, so that a late renewal has
	 * waited for at most a third of the lease.
	 */
	private static void requireRoom(Duration duration, Duration commandTimeout) {
		Assert.isTrue(commandTimeout.plus(commandTimeout).plus(commandTimeout).compareTo(duration) <= 0,
				() -> "A lease of " + duration.toMillis() + " ms is too short for a command timeout of "
						+ commandTimeout.toMillis()
						+ " ms: it must last for at least three timeouts. Lengthen the lease, or"
						+ " shorten locket.redis.command-timeout");
	}

}
