package io.locket.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Analyzer of a missing Locket bean while Locket is disabled.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class LocketDisabledFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final Environment environment;

	LocketDisabledFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		ResolvableType missing = cause.getResolvableType();
		Class<?> type = (missing != null) ? missing.resolve() : null;
		if (type == null || !type.getName().startsWith("io.locket.")
				|| !"false".equalsIgnoreCase(this.environment.getProperty("locket.enabled"))) {
			return null;
		}
		String name = type.getSimpleName();
		return new FailureAnalysis(
				"A bean needs a " + type.getName() + ", which does not exist because locket.enabled is false.",
				"Inject an ObjectProvider<" + name + "> and handle its absence, or define a " + name
						+ " bean of your own for that case. To disable only the workers, set"
						+ " locket.worker.enabled=false and leave locket.enabled out.",
				cause);
	}

}
