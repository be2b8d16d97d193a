package io.locket.autoconfigure.diagnostics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Analyzer of properties below {@code locket} whose values cannot be converted to their
 * types.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidValueFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("locket");

	private final WrittenValues written;

	InvalidValueFailureAnalyzer(Environment environment) {
		this.written = new WrittenValues(environment);
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!PREFIX.isAncestorOf(cause.getName()) || !(cause.getCause() instanceof ConversionException)) {
			return null;
		}
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(cause.getTarget().getType().toClass());
		ConfigurationProperty property = cause.getProperty();
		String value = (property != null) ? "'" + LineText.of(property.getValue().toString()) + "'" : null;
		Problem problem = problem(cause.getName().toString(), value, type);
		return InvalidLocketConfigurationFailureAnalyzer.analysis(List.of(problem), this.written, cause);
	}

	private static Problem problem(String property, @Nullable String value, Class<?> type) {
		if (type.isEnum()) {
			return new Problem(property, value, "is not one of its values.", "Write " + values(type) + ".");
		}
		if (type == Duration.class) {
			return new Problem(property, value, "is not a duration.",
					"Write a number with a unit, such as 500ms, 35s, 5m, 1h or 30d.");
		}
		if (type == DataSize.class) {
			return new Problem(property, value, "is not a size.", "Write a number with a unit, such as 256KB.");
		}
		if (type == Boolean.class) {
			return new Problem(property, value, "is neither true nor false.", "Write true or false.");
		}
		if (type == Integer.class) {
			return new Problem(property, value, "is not a whole number.", "Write a number such as 5.");
		}
		if (type == Double.class) {
			return new Problem(property, value, "is not a number.", "Write a number such as 0.5.");
		}
		return new Problem(property, value, "has a value, but it is the parent of other properties.",
				"Write the properties below it, as listed in docs/configuration.md.");
	}

	private static String values(Class<?> type) {
		return Arrays.stream(type.getEnumConstants())
			.map((value) -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.joining(", "));
	}

}
