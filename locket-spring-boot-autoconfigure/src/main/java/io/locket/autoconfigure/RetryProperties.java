package io.locket.autoconfigure;

import java.time.Duration;

/**
 * How failed runs of queued jobs are repeated.
 */
public class RetryProperties {

	/**
	 * How many failed attempts are followed by another one, unless the job says
	 * otherwise.
	 */
	private int max = 5;

	/**
	 * Every so many times that a job is taken from a dead worker count as a failed
	 * attempt. With 0, none does.
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
	 * How long it takes until the next attempt.
	 */
	public static class Backoff {

		/**
		 * Delay before the second attempt, unless the job says otherwise.
		 */
		private Duration initial = Duration.ofSeconds(15);

		/**
		 * How much longer each delay is than the one before.
		 */
		private double multiplier = 2;

		/**
		 * Longest delay.
		 */
		private Duration max = Duration.ofHours(1);

		/**
		 * Part of a delay, from 0 to 1, by which it may be shorter or longer.
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
