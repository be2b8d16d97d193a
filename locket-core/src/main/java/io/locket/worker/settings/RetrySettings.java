package io.locket.worker.settings;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Back-off of failed attempts. Immutable.
 *
 * @param initial the delay after the first failed attempt
 * @param multiplier the factor between two successive delays
 * @param max the maximum delay, before jitter
 * @param jitter the fraction, from 0 to 1, by which a delay may be shorter or longer
 */
public record RetrySettings(Duration initial, double multiplier, Duration max, double jitter) {

	public RetrySettings {
		Assert.isTrue(!initial.isNegative(), "'initial' must not be negative");
		Assert.isTrue(multiplier >= 1, "'multiplier' must be at least 1");
		Assert.isTrue(!max.isNegative(), "'max' must not be negative");
		Assert.isTrue(jitter >= 0 && jitter <= 1, "'jitter' must be from 0 to 1");
	}

	/**
	 * Returns the delay after a failed attempt.
	 * @param own the job's own initial delay, or {@code null}
	 * @param failedBefore the number of earlier failed attempts
	 * @param random a random number from 0 to 1
	 * @return the delay
	 */
	public Duration delay(@Nullable Duration own, int failedBefore, double random) {
		double first = ((own != null) ? own : this.initial).toMillis();
		double delay = Math.min(first * Math.pow(this.multiplier, failedBefore), Math.max(first, this.max.toMillis()));
		return Duration.ofMillis(Math.round(delay * (1 + this.jitter * (2 * random - 1))));
	}

}
