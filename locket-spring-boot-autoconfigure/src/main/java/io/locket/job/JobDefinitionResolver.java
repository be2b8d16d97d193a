package io.locket.job;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.key.JobKeyGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * Makes definitions of annotations, and says what is wrong with them.
 */
final class JobDefinitionResolver {

	private static final int LONGEST_NAME = 200;

	private final StringValueResolver placeholders;

	private final JobSettings settings;

	private final KeyGenerators keyGenerators;

	private final MethodRules methodRules;

	private final StrategyRules strategyRules;

	JobDefinitionResolver(StringValueResolver placeholders, JobSettings settings, KeyGenerators keyGenerators,
			MethodRules methodRules) {
		this.placeholders = placeholders;
		this.settings = settings;
		this.keyGenerators = keyGenerators;
		this.methodRules = methodRules;
		this.strategyRules = new StrategyRules(settings);
	}

	UniqueJobDefinition resolve(String beanName, Class<?> beanClass, Method method,
			MergedAnnotation<UniqueJob> annotation, JobProblems problems) {
		this.methodRules.check(beanName, beanClass, method, problems);
		JobAttributes attributes = new JobAttributes(annotation, this.placeholders, problems);
		String name = name(beanName, method, attributes, problems);
		JobKeyGenerator keyGenerator = this.keyGenerators.find(name, method, annotation, attributes, problems);
		UniqueJobDefinition job = new UniqueJobDefinition(name, beanName, method, keyGenerator,
				attributes.flag("maskArguments", this.settings.maskArguments()), lock(annotation), conflict(annotation),
				orElse(attributes.duration("leaseFor", false), this.settings.leaseDuration()),
				attributes.duration("uniqueFor", false), orElse(attributes.duration("waitFor", false), Duration.ZERO),
				orElse(attributes.duration("holdAtLeast", true), Duration.ZERO));
		this.strategyRules.check(job, annotation, attributes, problems);
		return job;
	}

	private String name(String beanName, Method method, JobAttributes attributes, JobProblems problems) {
		String name = attributes.text("name");
		if (name == null) {
			name = beanName + "." + method.getName();
		}
		if (name.chars().anyMatch(Character::isISOControl)) {
			problems.add("The name of the job has control characters.", "Write a name of printable characters.");
		}
		if (name.length() > LONGEST_NAME) {
			problems.add("The name of the job has " + name.length() + " characters.",
					"Write name = \"...\" with at most " + LONGEST_NAME + ".");
		}
		return name;
	}

	private LockStrategy lock(MergedAnnotation<UniqueJob> annotation) {
		LockStrategy lock = annotation.getEnum("lock", LockStrategy.class);
		return (lock != LockStrategy.DEFAULT) ? lock : this.settings.lock();
	}

	private ConflictStrategy conflict(MergedAnnotation<UniqueJob> annotation) {
		ConflictStrategy conflict = annotation.getEnum("onConflict", ConflictStrategy.class);
		return (conflict != ConflictStrategy.DEFAULT) ? conflict : this.settings.onConflict();
	}

	private static Duration orElse(@Nullable Duration duration, Duration fallback) {
		return Objects.requireNonNullElse(duration, fallback);
	}

}
