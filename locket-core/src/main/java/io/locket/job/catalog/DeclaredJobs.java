package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.UniqueJob;
import io.locket.job.definition.InvalidUniqueJobException;
import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.job.definition.JobDefinitionResolver;
import io.locket.job.definition.JobProblems;
import io.locket.job.definition.UniqueJobAnnotations;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.job.recording.RecordedCall;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

/**
 * Jobs of interfaces that no bean of this application implements. They are checked as
 * jobs of beans are, when they are first enqueued. Thread-safe.
 */
final class DeclaredJobs {

	private final JobDefinitionResolver resolver;

	private final JobIndex index;

	private final Map<Method, Declared> jobs = new ConcurrentHashMap<>();

	DeclaredJobs(JobDefinitionResolver resolver, JobIndex index) {
		this.resolver = resolver;
		this.index = index;
	}

	/**
	 * Returns a job that is already declared.
	 * @param method the called method
	 * @param type the called interface
	 * @return the job, or {@code null} if it is not declared yet
	 */
	@Nullable UniqueJobDefinition known(Method method, Class<?> type) {
		Declared declared = this.jobs.get(AopUtils.getMostSpecificMethod(method, type));
		return (declared != null) ? declared.job() : null;
	}

	/**
	 * Returns a job that is already declared.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if it is not declared yet
	 */
	Optional<UniqueJobDefinition> known(String name) {
		return this.jobs.values().stream().filter((one) -> one.has(name)).map(Declared::job).findFirst();
	}

	/**
	 * Creates the job that an interface declares.
	 * @param call the call of a type that no bean has
	 * @return the job
	 * @throws IllegalArgumentException if the type declares none, or an unsupported one
	 */
	UniqueJobDefinition declare(RecordedCall call) {
		Class<?> type = call.type();
		Method method = AopUtils.getMostSpecificMethod(call.method(), type);
		String name = ClassUtils.getShortName(type);
		if (!type.isInterface()) {
			throw new IllegalArgumentException("There is no bean of type " + name + ", so there is no job " + call
					+ ". Define the bean, or move @UniqueJob with a name to a method of an interface and use the interface");
		}
		MergedAnnotation<UniqueJob> annotation = UniqueJobAnnotations.find(method, type);
		if (annotation == null) {
			throw new IllegalArgumentException(call + " is not a job: no bean implements " + name
					+ ", and the method of the interface has no @UniqueJob. Annotate it there, with a name");
		}
		if (annotation.getString("name").isEmpty()) {
			throw new IllegalArgumentException("No bean implements " + name + ", so the job " + call
					+ " has no bean name to derive its name from. Set a name in the @UniqueJob of the interface, such as"
					+ " name = \"" + ClassUtils.getShortNameAsProperty(type) + "." + method.getName() + "\"");
		}
		return declare(type, method, annotation);
	}

	/**
	 * Declares a job. Synchronized, so that a name has only one job.
	 */
	private synchronized UniqueJobDefinition declare(Class<?> type, Method method,
			MergedAnnotation<UniqueJob> annotation) {
		Declared known = this.jobs.get(method);
		if (known == null) {
			known = new Declared(resolve(type, method, annotation), annotation.getSource());
			this.jobs.put(method, known);
		}
		return known.job();
	}

	/**
	 * Resolves the job. If a bean inherits the annotation through another interface above
	 * this one, the job is that of the bean.
	 */
	private UniqueJobDefinition resolve(Class<?> type, Method method, MergedAnnotation<UniqueJob> annotation) {
		List<Problem> problems = new ArrayList<>();
		JobProblems own = new JobProblems("", method, problems);
		UniqueJobDefinition job = this.resolver.resolve("", type, method, annotation, own);
		BoundJob taken = this.index.named(job.name());
		if (taken != null && taken.named() && Objects.equals(taken.source(), annotation.getSource())) {
			return taken.job();
		}
		if (taken != null) {
			addTaken(job.name(), taken.bean().name(), taken.job(), own);
		}
		checkOthers(job, annotation.getSource(), own);
		if (!problems.isEmpty()) {
			InvalidUniqueJobException cause = new InvalidUniqueJobException(problems);
			throw new IllegalArgumentException(cause.getMessage(), cause);
		}
		return job;
	}

	private void checkOthers(UniqueJobDefinition job, @Nullable Object source, JobProblems problems) {
		Set<String> names = new LinkedHashSet<>(job.aliases());
		names.add(job.name());
		for (Declared other : this.jobs.values()) {
			for (String name : names) {
				if (other.has(name) && !Objects.equals(other.source(), source)) {
					addTaken(name, "", other.job(), problems);
				}
			}
		}
	}

	private static void addTaken(String name, String bean, UniqueJobDefinition by, JobProblems problems) {
		problems.add("The name '" + name + "' is taken by " + JobProblems.subject(bean, by.method()) + ".",
				"Write another one.");
	}

	/**
	 * Declared job.
	 *
	 * @param job the job
	 * @param source the element with the annotation
	 */
	private record Declared(UniqueJobDefinition job, @Nullable Object source) {

		boolean has(String name) {
			return this.job.name().equals(name) || this.job.aliases().contains(name);
		}

	}

}
