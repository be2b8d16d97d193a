package io.locket.autoconfigure;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for an application in which Locket is disabled. It logs that jobs
 * run unguarded.
 */
@AutoConfiguration
@Conditional(LocketDisabledAutoConfiguration.NotEnabled.class)
public final class LocketDisabledAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LocketDisabledAutoConfiguration.class);

	private static final String ENABLED = "locket.enabled";

	/**
	 * Creates the check of the switch, which runs before a bean misses one of Locket's.
	 */
	@Bean
	static BeanFactoryPostProcessor locketDisabledCheck(Environment environment) {
		return (beanFactory) -> {
			String value = environment.getProperty(ENABLED, "");
			if (!value.equalsIgnoreCase("false")) {
				throw new InvalidLocketConfigurationException(problem(value));
			}
		};
	}

	/**
	 * Returns the problem with a value. The value {@code true} is read here only if the
	 * application was processed ahead of time with another one.
	 */
	private static Problem problem(String value) {
		return value.equalsIgnoreCase("true")
				? new Problem(ENABLED, value,
						"has no effect, because the application was processed ahead of time without Locket.",
						"Process the application with this value, or start it without -Dspring.aot.enabled=true.")
				: new Problem(ENABLED, "'" + value + "'", "is neither true nor false.",
						"Write true, or write false to let jobs run unguarded.");
	}

	@Bean
	SmartInitializingSingleton locketDisabledNotice() {
		return () -> logger
			.warn("locket.enabled is false: methods with @UniqueJob run unguarded. Set it to true where they must not"
					+ " overlap");
	}

	/**
	 * Condition that matches all values that do not enable Locket.
	 */
	static final class NotEnabled extends NoneNestedConditions {

		NotEnabled() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
		static final class Enabled {

		}

	}

}
