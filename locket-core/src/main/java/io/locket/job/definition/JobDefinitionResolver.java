package io.locket.job.definition;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;

import io.locket.LeaseKind;
import io.locket.UniqueJob;
import io.locket.key.JobKeyGenerator;
import io.locket.queue.QueueNames;
import io.locket.text.LineText;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * Factory of job definitions from annotations, which collects their problems.
 */
public final class JobDefinitionResolver {

	private static final int LONGEST_NAME = 200;

	private static final int MOST_RETRIES = 1000;

	private final StringValueResolver placeholders;

	private final JobSettings settings;

	private final KeyGenerators keyGenerators;

	private final MethodRules methodRules;

	private final StrategyRules strategyRules;

	public JobDefinitionResolver(StringValueResolver placeholders, JobSettings settings, KeyGenerators keyGenerators,
			MethodRules methodRules) {
		this.placeholders = placeholders;
		this.settings = settings;
		this.keyGenerators = keyGenerators;
		this.methodRules = methodRules;
		this.strategyRules = new StrategyRules(settings);
	}

	public UniqueJobDefinition resolve(String beanName, Class<?> beanClass, Method method,
			MergedAnnotation<UniqueJob> annotation, JobProblems problems) {
		this.methodRules.check(beanName, beanClass, method, problems);
		JobAttributes attributes = new JobAttributes(annotation, this.placeholders, problems);
		String name = name(beanName, method, attributes, problems);
		JobKeyGenerator keyGenerator = this.keyGenerators.find(name, method, annotation, attributes, problems);
		String queue = queue(attributes, problems);
		StrategySettings declared = JobStrategies.declared(annotation, attributes.duration("uniqueFor", false));
		JobStrategies strategies = JobStrategies.of(declared, queue, this.settings);
		UniqueJobDefinition job = new UniqueJobDefinition(name, aliases(name, attributes, problems), beanName, method,
				beanClass, keyGenerator, attributes.flag("maskArguments", this.settings.maskArguments()), queue,
				strategies, JobTimes.of(attributes, this.settings.leaseDuration()), retry(annotation, attributes),
				declared);
		this.strategyRules.check(job, strategies, attributes, problems);
		checkInterfaces(job, beanClass, problems);
		return job;
	}

	/**
	 * Checks that the interfaces state the same name. A process that has only the
	 * interface enqueues the job under the name stated there.
	 */
	private void checkInterfaces(UniqueJobDefinition job, Class<?> beanClass, JobProblems problems) {
		for (MergedAnnotation<UniqueJob> annotation : UniqueJobAnnotations.ofInterfaces(job.method(), beanClass)) {
			String name = new JobAttributes(annotation, this.placeholders, problems).text("name");
			if (name != null && !name.equals(job.name()) && !job.aliases().contains(name)) {
				problems.add("The job is '" + job.name() + "' here and '" + name
						+ "' in an interface, so jobs that are enqueued through the interface only would never run.",
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
		if (name.startsWith(LeaseKind.RESERVED)) {
			problems.add(
					"The " + what + " begins with '" + LeaseKind.RESERVED
							+ "', which is reserved for Locket's own leases.",
					"Write " + attribute + " with another beginning.");
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
			problems.add("queue = \"" + LineText.of(queue) + "\" is not a valid queue name.",
					"Write " + QueueNames.RULE + ".");
			return this.settings.defaultQueue();
		}
		return queue;
	}

	private JobRetry retry(MergedAnnotation<UniqueJob> annotation, JobAttributes attributes) {
		return new JobRetry(attributes.number("retries", MOST_RETRIES, this.settings.retries()),
				attributes.duration("backoff", false), noRetryFor(annotation), attributes.duration("timeout", false));
	}

	private static Set<Class<? extends Throwable>> noRetryFor(MergedAnnotation<UniqueJob> annotation) {
		Set<Class<? extends Throwable>> types = new LinkedHashSet<>();
		for (Class<?> type : annotation.getClassArray("noRetryFor")) {
			types.add(type.asSubclass(Throwable.class));
		}
		return types;
	}

}
