package io.locket.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.locket.autoconfigure.diagnostics.PropertyProblems;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Check of the properties that conditions read as text. Spring Boot binds further
 * spellings of their values, such as {@code yes} and {@code LOCK_REGISTRY}, and an empty
 * text. With these, the conditions would leave out parts of Locket that the properties
 * switch on. Other spellings of {@code false} are accepted. It runs before any bean is
 * created.
 */
public final class PropertySpellingCheck implements BeanFactoryPostProcessor {

	private static final List<String> SWITCHES = List.of("locket.worker.enabled", "locket.leader.enabled",
			"locket.dashboard.enabled", "locket.logging.mdc");

	private static final Set<String> ON_OR_OFF = Set.of("true", "false", "off", "no", "0");

	private static final Set<String> STORES = Set.of("redis", "lock-registry");

	private final Environment environment;

	public PropertySpellingCheck(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		PropertyProblems problems = new PropertyProblems();
		SWITCHES.forEach((property) -> check(property, ON_OR_OFF, "true", "false", problems));
		check("locket.lease.store", STORES, "redis", "lock-registry", problems);
		problems.throwIfAny();
	}

	private void check(String property, Set<String> values, String one, String other, PropertyProblems problems) {
		String value = this.environment.getProperty(property);
		if (value != null && !values.contains(value.toLowerCase(Locale.ROOT))) {
			problems.add(property, "'" + value + "'", "is neither " + one + " nor " + other + ".",
					"Write " + one + " or " + other + ", or remove the property.");
		}
	}

}
