package io.locket.autoconfigure;

import java.util.List;

import io.locket.autoconfigure.diagnostics.ListedProblems;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Analyzer of properties below {@code locket} that are not bound: unknown properties,
 * properties without a value, and elements of a list after a gap.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownLocketPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("locket");

	private static final ConfigurationPropertyName REDIS = PREFIX.append("redis");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> PREFIX.isAncestorOf(property.getName()))
			.toList();
		if (unknown.isEmpty()) {
			return null;
		}
		ListedProblems listed = new ListedProblems("Locket cannot read these properties:", "Correct the properties:");
		for (ConfigurationProperty property : unknown) {
			String name = property.getName().toString();
			listed.add((property.getOrigin() != null) ? name + " (" + property.getOrigin() + ")" : name, name,
					advice(property.getName()));
		}
		return listed.analysis(cause);
	}

	private static String advice(ConfigurationPropertyName unknown) {
		if (KnownProperties.contains(unknown)) {
			return unknown.isLastElementIndexed() ? "Number the elements of a list from 0, without gaps."
					: "Write a value, or remove the property.";
		}
		boolean ofRedis = REDIS.isAncestorOf(unknown);
		List<String> near = KnownProperties.near(unknown)
			.stream()
			.filter((name) -> !ofRedis || name.startsWith(REDIS + "."))
			.toList();
		if (!near.isEmpty()) {
			return "Did you mean " + String.join(" or ", near) + "?";
		}
		return "Remove it. " + (ofRedis ? "spring.data.redis.* configures the connection to Redis."
				: "docs/configuration.md lists all properties.");
	}

}
