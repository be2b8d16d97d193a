package io.locket.job.definition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reader of the text attributes of one annotation. It resolves placeholders, converts
 * values, and adds a problem for each value that is invalid.
 */
final class JobAttributes {

	private static final Duration SHORTEST = Duration.ofMillis(1);

	private static final Duration LONGEST = Duration.ofDays(36500);

	private final MergedAnnotation<UniqueJob> annotation;

	private final StringValueResolver placeholders;

	private final JobProblems problems;

	JobAttributes(MergedAnnotation<UniqueJob> annotation, StringValueResolver placeholders, JobProblems problems) {
		this.annotation = annotation;
		this.placeholders = placeholders;
		this.problems = problems;
	}

	/**
	 * Returns whether the annotation sets an attribute.
	 * @param attribute the name of the attribute
	 * @return {@code true} unless it is left at its default
	 */
	boolean isSet(String attribute) {
		return !this.annotation.getString(attribute).isEmpty();
	}

	/**
	 * Adds a problem if an attribute is set.
	 * @param attribute the name of the attribute
	 * @param reason the reason, to follow the name of the attribute
	 * @param action the remedy
	 */
	void refuse(String attribute, String reason, String action) {
		if (isSet(attribute)) {
			this.problems.add(attribute + " " + reason, action);
		}
	}

	/**
	 * Returns the text of an attribute.
	 * @param attribute the name of the attribute
	 * @return the resolved text, or {@code null} if it is not set or cannot be resolved
	 */
	@Nullable String text(String attribute) {
		String text = this.annotation.getString(attribute);
		return text.isEmpty() ? null : text(attribute, text);
	}

	/**
	 * Returns the texts of an attribute, without those that cannot be resolved.
	 * @param attribute the name of the attribute
	 * @return the resolved texts, in their order
	 */
	List<String> texts(String attribute) {
		List<String> texts = new ArrayList<>();
		for (String text : this.annotation.getStringArray(attribute)) {
			String resolved = text(attribute, text);
			if (resolved != null) {
				texts.add(resolved);
			}
		}
		return texts;
	}

	private @Nullable String text(String attribute, String text) {
		String resolved = resolve(attribute, text);
		if (resolved != null && !StringUtils.hasText(resolved)) {
			this.problems.add(attribute + " = \"" + text + "\" is blank" + (text.isBlank() ? "." : " once resolved."),
					"Write a value, or leave the attribute out.");
			return null;
		}
		return resolved;
	}

	private @Nullable String resolve(String attribute, String text) {
		String reason = "it is not defined";
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			if (resolved == null || !resolved.contains("${")) {
				return resolved;
			}
		}
		catch (IllegalArgumentException ex) {
			reason = String.valueOf(ex.getMessage());
		}
		this.problems.add("A placeholder in " + attribute + " = \"" + text + "\" cannot be resolved: " + reason + ".",
				"Define the property, or give it a default as in ${name:default}.");
		return null;
	}

	/**
	 * Returns the duration that an attribute states.
	 * @param attribute the name of the attribute
	 * @param zero whether it may be zero
	 * @return the duration, or {@code null} if it is not set or invalid
	 */
	@Nullable Duration duration(String attribute, boolean zero) {
		String text = text(attribute);
		if (text == null) {
			return null;
		}
		if (text.trim().matches("\\+?0*[1-9][0-9]*")) {
			this.problems.add(attribute + " = \"" + text + "\" has no unit.",
					"Write \"" + text.trim() + "s\" or \"" + text.trim() + "ms\".");
			return null;
		}
		Duration duration;
		try {
			duration = DurationFormatterUtils.detectAndParse(text.trim());
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			this.problems.add(attribute + " = \"" + text + "\" is not a duration.",
					"Write one such as \"500ms\", \"35s\" or \"PT1H\".");
			return null;
		}
		if (duration.isZero() && zero) {
			return duration;
		}
		if (duration.compareTo(SHORTEST) < 0) {
			this.problems.add(
					attribute + " = \"" + text + "\" is "
							+ (duration.isZero() ? "zero."
									: (duration.isNegative() ? "negative." : "less than a millisecond.")),
					"Write a duration of 1ms or more, or leave the attribute out.");
			return null;
		}
		if (duration.compareTo(LONGEST) > 0) {
			this.problems.add(attribute + " = \"" + text + "\" is longer than 36500 days.",
					"Write a shorter duration.");
			return null;
		}
		return duration;
	}

	/**
	 * Returns the number that an attribute states.
	 * @param attribute the name of the attribute
	 * @param most the maximum; the minimum is zero
	 * @param fallback the number if it is not set or invalid
	 * @return the number
	 */
	int number(String attribute, int most, int fallback) {
		String text = text(attribute);
		if (text == null) {
			return fallback;
		}
		if (text.trim().matches("\\+?[0-9]{1,9}") && Integer.parseInt(text.trim()) <= most) {
			return Integer.parseInt(text.trim());
		}
		this.problems.add(attribute + " = \"" + text + "\" is not a number from 0 to " + most + ".",
				"Write one such as \"5\", or leave the attribute out.");
		return fallback;
	}

	/**
	 * Returns the flag that an attribute states.
	 * @param attribute the name of the attribute
	 * @param fallback the flag if it is not set or invalid
	 * @return the flag
	 */
	boolean flag(String attribute, boolean fallback) {
		String text = text(attribute);
		if (text == null) {
			return fallback;
		}
		if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
			return Boolean.parseBoolean(text);
		}
		this.problems.add(attribute + " = \"" + text + "\" is neither true nor false.",
				"Write \"true\" or \"false\", or leave the attribute out.");
		return fallback;
	}

}
