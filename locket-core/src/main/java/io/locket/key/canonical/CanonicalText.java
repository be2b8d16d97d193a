package io.locket.key.canonical;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberOutput;

/**
 * Canonical text of JSON scalars. It depends on the value alone: not on its Java type,
 * and not on the version of the JDK.
 */
public final class CanonicalText {

	/**
	 * Maximum number of zeros filled in for an exponent; beyond it the exponent is
	 * written.
	 */
	private static final int MAX_FILL = 40;

	private CanonicalText() {
	}

	/**
	 * Writes a string as JSON. Control and format characters that could forge or reorder
	 * a line of a log are escaped. So are unpaired surrogates, which UTF-8 cannot
	 * distinguish. Every other character is written as it is.
	 * @param value the string
	 * @return a JSON string
	 */
	public static String ofString(String value) {
		StringBuilder text = new StringBuilder(value.length() + 2).append('"');
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			if (Character.isHighSurrogate(c) && i + 1 < value.length()
					&& Character.isLowSurrogate(value.charAt(i + 1))) {
				text.append(c).append(value.charAt(++i));
			}
			else if (c == '"' || c == '\\') {
				text.append('\\').append(c);
			}
			else if (isEscaped(c)) {
				appendEscape(text, c);
			}
			else {
				text.append(c);
			}
		}
		return text.append('"').toString();
	}

	private static boolean isEscaped(char c) {
		if (c < 0x7f) {
			return c < 0x20;
		}
		return c <= 0x9f || c == 0x61c || (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
				|| (c >= 0x2066 && c <= 0x2069) || Character.isSurrogate(c) || c == 0xfeff;
	}

	private static void appendEscape(StringBuilder text, char c) {
		switch (c) {
			case '\b' -> text.append("\\b");
			case '\t' -> text.append("\\t");
			case '\n' -> text.append("\\n");
			case '\f' -> text.append("\\f");
			case '\r' -> text.append("\\r");
			default -> {
				text.append("\\u");
				for (int shift = 12; shift >= 0; shift -= 4) {
					text.append(Character.forDigit((c >> shift) & 0xf, 16));
				}
			}
		}
	}

	static String ofDouble(double value) {
		requireFinite(NumberOutput.notFinite(value));
		return ofDecimal(new BigDecimal(NumberOutput.toString(value, true)));
	}

	static String ofFloat(float value) {
		requireFinite(NumberOutput.notFinite(value));
		return ofDecimal(new BigDecimal(NumberOutput.toString(value, true)));
	}

	/**
	 * Writes a number that is given as text.
	 * @param value the text
	 * @return a JSON number
	 */
	static String ofNumeral(@Nullable String value) {
		try {
			return ofDecimal(new BigDecimal(String.valueOf(value)));
		}
		catch (NumberFormatException ex) {
			throw new CanonicalJsonException("a number in it is not a decimal number", ex);
		}
	}

	/**
	 * Writes a number as its digits without zeros at either end. A small exponent is
	 * written by filling in zeros, a large one as an exponent. Time and memory depend on
	 * the digits, not on the exponent.
	 * @param value the number
	 * @return a JSON number
	 */
	static String ofDecimal(BigDecimal value) {
		if (value.signum() == 0) {
			return "0";
		}
		String all = value.unscaledValue().abs().toString();
		int length = all.length();
		while (all.charAt(length - 1) == '0') {
			length--;
		}
		String digits = all.substring(0, length);
		long exponent = (long) all.length() - length - value.scale();
		return (value.signum() < 0) ? "-" + ofDigits(digits, exponent) : ofDigits(digits, exponent);
	}

	private static String ofDigits(String digits, long exponent) {
		long point = digits.length() + exponent;
		if (exponent > MAX_FILL || point < -MAX_FILL) {
			return digits + "E" + exponent;
		}
		if (exponent >= 0) {
			return digits + "0".repeat((int) exponent);
		}
		if (point <= 0) {
			return "0." + "0".repeat((int) -point) + digits;
		}
		return digits.substring(0, (int) point) + "." + digits.substring((int) point);
	}

	private static void requireFinite(boolean notFinite) {
		if (notFinite) {
			throw new CanonicalJsonException("NaN and infinite numbers have no JSON");
		}
	}

}
