package io.locket.job;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

import io.locket.UniqueJob;
import io.locket.key.JobKeyGenerator;
import io.locket.queue.QueueNames;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * Makes definitions of annotations, and says what is wrong with them.
 */
final class JobDefinitionResolver {

	private static final int LONGEST_NAME = 200;

	private static final int MOST_RETRIES = 1000;

	private static final Duration RESCHEDULE_AFTER = Duration.ofSeconds(5);

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
		String queue = queue(attributes, problems);
		StrategySettings declared = JobStrategies.declared(annotation);
		JobStrategies strategies = JobStrategies.of(declared, queue, this.settings);
		UniqueJobDefinition job = new UniqueJobDefinition(name, aliases(name, attributes, problems), beanName, method,
				keyGenerator, attributes.flag("maskArguments", this.settings.maskArguments()), queue, strategies.lock(),
				strategies.onDuplicate(), strategies.direct(), strategies.queued(),
				orElse(attributes.duration("leaseFor", false), this.settings.leaseDuration()),
				attributes.duration("uniqueFor", false), orElse(attributes.duration("waitFor", false), Duration.ZERO),
				orElse(attributes.duration("rescheduleAfter", false), RESCHEDULE_AFTER),
				orElse(attributes.duration("holdAtLeast", true), Duration.ZERO), attributes.duration("maxDelay", false),
				attributes.number("retries", MOST_RETRIES, this.settings.retries()),
				attributes.duration("backoff", false), noRetryFor(annotation), attributes.duration("timeout", false),
				declared);
		this.strategyRules.check(job, strategies, attributes, problems);
		checkInterfaces(job, beanClass, problems);
		return job;
	}

	/**
	 * A process that has only the interface enqueues under the name that it has there.
	 */
	private void checkInterfaces(UniqueJobDefinition job, Class<?> beanClass, JobProblems problems) {
		for (MergedAnnotation<UniqueJob> annotation : UniqueJobAnnotations.ofInterfaces(job.method(), beanClass)) {
			String name = new JobAttributes(annotation, this.placeholders, problems).text("name");
			if (name != null && !name.equals(job.name()) && !job.aliases().contains(name)) {
				problems.add("The job is '" + job.name() + "' here and '" + name
						+ "' in an interface, so that no process runs what one that has only the interface enqueues.",
						"Write the same name, or aliases = \"" + name + "\".");
			}
		}
	}

	private String name(String beanName, Method method, JobAttributes attributes, JobProblems problems) {
		String name = attributes.text("name");
		if (name == null) {
			name = beanName + "." + method.getName();
		}
		checkName("name of the job", "name = \"...\"", name, problems);
		return name;
	}

	private Set<String> aliases(String name, JobAttributes attributes, JobProblems problems) {
		Set<String> aliases = new LinkedHashSet<>(attributes.texts("aliases"));
		aliases.remove(name);
		aliases.forEach((alias) -> checkName("alias", "an alias", alias, problems));
		return aliases;
	}

	private static void checkName(String what, String attribute, String name, JobProblems problems) {
		if (name.chars().anyMatch(Character::isISOControl)) {
			problems.add("The " + what + " has control characters.", "Write a name of printable characters.");
		}
		if (name.length() > LONGEST_NAME) {
			problems.add("The " + what + " has " + name.length() + " characters.",
					"Write " + attribute + " with at most " + LONGEST_NAME + ".");
		}
	}

	private String queue(JobAttributes attributes, JobProblems problems) {
		String queue = attributes.text("queue");
		if (queue == null) {
			return this.settings.defaultQueue();
		}
		if (!QueueNames.isValid(queue)) {
			problems.add("queue = \"" + queue.replaceAll("\\p{Cntrl}", "?") + "\" is no name of a queue.",
					"Write " + QueueNames.RULE + ".");
			return this.settings.defaultQueue();
		}
		return queue;
	}

	private static Set<Class<? extends Throwable>> noRetryFor(MergedAnnotation<UniqueJob> annotation) {
		Set<Class<? extends Throwable>> types = new LinkedHashSet<>();
		for (Class<?> type : annotation.getClassArray("noRetryFor")) {
			types.add(type.asSubclass(Throwable.class));
		}
		return types;
	}

	private static Duration orElse(@Nullable Duration duration, Duration fallback) {
		return Objects.requireNonNullElse(duration, fallback);
	}

}
