package io.locket.job.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.function.Supplier;

import io.locket.JobKeyException;
import io.locket.UniqueJob;
import io.locket.key.ExpressionKeyGenerator;
import io.locket.key.JobKeyGenerator;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * Resolver of the key generator of a job.
 */
public final class KeyGenerators {

	/**
	 * Placeholder after a problem. It generates no key, so nothing runs.
	 */
	private static final JobKeyGenerator NONE = (call) -> null;

	private final ConfigurableListableBeanFactory beanFactory;

	private final Supplier<JobKeyGenerator> defaultGenerator;

	public KeyGenerators(ConfigurableListableBeanFactory beanFactory, Supplier<JobKeyGenerator> defaultGenerator) {
		this.beanFactory = beanFactory;
		this.defaultGenerator = defaultGenerator;
	}

	JobKeyGenerator find(String job, Method method, MergedAnnotation<UniqueJob> annotation, JobAttributes attributes,
			JobProblems problems) {
		if (attributes.isSet("key") && attributes.isSet("keyGenerator")) {
			problems.add("key and keyGenerator exclude each other.", "Leave one of them out.");
			return NONE;
		}
		if (attributes.isSet("key")) {
			return expression(job, method, annotation, attributes, problems);
		}
		if (attributes.isSet("keyGenerator")) {
			return bean(attributes, problems);
		}
		return this.defaultGenerator.get();
	}

	private JobKeyGenerator expression(String job, Method method, MergedAnnotation<UniqueJob> annotation,
			JobAttributes attributes, JobProblems problems) {
		String text = attributes.text("key");
		if (text != null) {
			Method annotated = (annotation.getSource() instanceof Method source) ? source : method;
			try {
				return new ExpressionKeyGenerator(job, annotated, text);
			}
			catch (JobKeyException ex) {
				problems.add("key = \"" + text + "\" cannot be used: " + ex.getMessage(), advice(annotated));
			}
		}
		return NONE;
	}

	private static String advice(Method method) {
		Parameter[] parameters = method.getParameters();
		if (parameters.length == 0) {
			return "Write an expression without variables, because the method has no parameters.";
		}
		String first = parameters[0].isNamePresent() ? parameters[0].getName() : "a0";
		return "Write an expression over the available variables, such as key = \"#" + first + "\""
				+ ((parameters.length > 1) ? " or key = \"{#a0, #a1}\"." : ".");
	}

	private JobKeyGenerator bean(JobAttributes attributes, JobProblems problems) {
		String name = attributes.text("keyGenerator");
		if (name == null) {
			return NONE;
		}
		String[] candidates = this.beanFactory.getBeanNamesForType(JobKeyGenerator.class, true, false);
		String remedy = (candidates.length > 0) ? "Name one of " + Arrays.toString(candidates) + "."
				: "Define a bean that implements JobKeyGenerator.";
		if (!this.beanFactory.containsBean(name)) {
			problems.add("keyGenerator = \"" + name + "\" does not name a bean.", remedy);
			return NONE;
		}
		if (!this.beanFactory.isTypeMatch(name, JobKeyGenerator.class)) {
			problems.add("keyGenerator = \"" + name + "\" names a bean that is not a JobKeyGenerator.", remedy);
			return NONE;
		}
		return this.beanFactory.getBean(name, JobKeyGenerator.class);
	}

}
