package io.locket.autoconfigure.properties;

import java.time.Duration;

/**
 * Properties for retries of queued runs.
 */
public class RetryProperties {

	/**
	 * Default maximum number of retries of a failed job.
	 */
	private int max = 5;

	/**
	 * Number of reclaims from dead workers that count as one failed attempt. 0 means that
	 * reclaims never count.
	 */
	private int maxReclaims = 3;

	private final Backoff backoff = new Backoff();

	public int getMax() {
		return this.max;
	}

	public void setMax(int max) {
		this.max = max;
	}

	public int getMaxReclaims() {
		return this.maxReclaims;
	}

	public void setMaxReclaims(int maxReclaims) {
		this.maxReclaims = maxReclaims;
	}

	public Backoff getBackoff() {
		return this.backoff;
	}

	/**
	 * Properties of the delay before a retry.
	 */
	public static class Backoff {

		/**
		 * Default delay before the second attempt.
		 */
		private Duration initial = Duration.ofSeconds(15);

		/**
		 * Factor by which each delay exceeds the previous one.
		 */
		private double multiplier = 2;

		/**
		 * Maximum delay.
		 */
		private Duration max = Duration.ofHours(1);

		/**
		 * Fraction of a delay, from 0 to 1, by which it is randomly shortened or
		 * lengthened.
		 */
		private double jitter = 0.1;

		public Duration getInitial() {
			return this.initial;
		}

		public void setInitial(Duration initial) {
			this.initial = initial;
		}

		public double getMultiplier() {
			return this.multiplier;
		}

		public void setMultiplier(double multiplier) {
			this.multiplier = multiplier;
		}

		public Duration getMax() {
			return this.max;
		}

		public void setMax(Duration max) {
			this.max = max;
		}

		public double getJitter() {
			return this.jitter;
		}

		public void setJitter(double jitter) {
			this.jitter = jitter;
		}

	}

}
