package io.locket.benchmarks.result;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Rounds figures to the digits that mean something.
 */
public final class Rounding {

	private static final MathContext DIGITS = new MathContext(4);

	private Rounding() {
	}

	/**
	 * Returns a figure with four significant digits.
	 * @param figure the figure
	 * @return the rounded figure, 0 for one that is not finite
	 */
	public static double of(double figure) {
		return Double.isFinite(figure) ? new BigDecimal(figure).round(DIGITS).doubleValue() : 0;
	}

}
