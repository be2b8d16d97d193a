package io.locket.autoconfigure.diagnostics;

import java.time.Duration;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.text.LineText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * The values of invalid properties as they are written in the configuration, with their
 * places.
 */
final class WrittenValues {

	private final Environment environment;

	WrittenValues(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Describes the property of a problem: its name, its value and its place. Durations
	 * and sizes keep the unit in which they are written.
	 */
	String describe(Problem problem) {
		ConfigurationProperty property = find(problem.property());
		if (property == null) {
			return problem.subject(problem.value());
		}
		boolean hasUnit = problem.value() instanceof Duration || problem.value() instanceof DataSize;
		return problem.subject(hasUnit ? text(property) : problem.value())
				+ ((property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
	}

	private String text(ConfigurationProperty property) {
		return LineText.of(this.environment.resolvePlaceholders(property.getValue().toString()));
	}

	/**
	 * Finds a property, or the first element of a list. The name may have upper case or
	 * underscores, as the key of a map is written.
	 */
	private @Nullable ConfigurationProperty find(String property) {
		if (!(this.environment instanceof ConfigurableEnvironment configurable)) {
			return null;
		}
		ConfigurationPropertyName valid = ConfigurationPropertyName.ofIfValid(property);
		ConfigurationPropertyName name = (valid != null) ? valid : ConfigurationPropertyName.adapt(property, '.');
		Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources
			.from(configurable.getPropertySources());
		ConfigurationProperty found = find(name, sources);
		return (found != null) ? found : find(name.append("[0]"), sources);
	}

	private static @Nullable ConfigurationProperty find(ConfigurationPropertyName name,
			Iterable<ConfigurationPropertySource> sources) {
		for (ConfigurationPropertySource source : sources) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return property;
			}
		}
		return null;
	}

}
