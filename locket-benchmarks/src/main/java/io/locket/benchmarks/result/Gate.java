package io.locket.benchmarks.result;

/**
 * A bound on a measured figure. A ratio or a count that misses its bound fails the run. A
 * timing of this machine is only an aim, which is reported.
 *
 * @param name the name of the figure
 * @param measured the measured figure
 * @param bound the bound
 * @param atMost whether the bound is an upper one
 * @param aim whether the bound is only reported
 */
public record Gate(String name, double measured, double bound, boolean atMost, boolean aim) {

	/**
	 * Returns an upper bound.
	 * @param name the name of the figure
	 * @param measured the measured figure
	 * @param bound the greatest figure that keeps the bound
	 * @return the gate
	 */
	public static Gate atMost(String name, double measured, double bound) {
		return new Gate(name, Rounding.of(measured), bound, true, false);
	}

	/**
	 * Returns a lower bound.
	 * @param name the name of the figure
	 * @param measured the measured figure
	 * @param bound the smallest figure that keeps the bound
	 * @return the gate
	 */
	public static Gate atLeast(String name, double measured, double bound) {
		return new Gate(name, Rounding.of(measured), bound, false, false);
	}

	/**
	 * Returns an upper bound that is only reported.
	 * @param name the name of the figure
	 * @param measured the measured figure
	 * @param bound the greatest figure that keeps the bound
	 * @return the gate
	 */
	public static Gate aim(String name, double measured, double bound) {
		return new Gate(name, Rounding.of(measured), bound, true, true);
	}

	/**
	 * Returns whether the figure keeps the bound.
	 * @return whether it does
	 */
	public boolean isKept() {
		return this.atMost ? this.measured <= this.bound : this.measured >= this.bound;
	}

	/**
	 * Returns whether the figure fails the run.
	 * @return whether it misses a bound that is more than an aim
	 */
	public boolean isFailure() {
		return !this.aim && !isKept();
	}

}
