package io.locket.job;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.UniqueJob;
import io.locket.job.InvalidUniqueJobException.Problem;
import io.locket.job.recording.RecordedCall;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

/**
 * The jobs of interfaces that no bean here implements. They are checked as those of beans
 * are, when they are enqueued for the first time. Thread-safe.
 */
final class DeclaredJobs {

	private final JobDefinitionResolver resolver;

	private final JobIndex index;

	private final Map<Method, UniqueJobDefinition> jobs = new ConcurrentHashMap<>();

	DeclaredJobs(JobDefinitionResolver resolver, JobIndex index) {
		this.resolver = resolver;
		this.index = index;
	}

	/**
	 * Return a job that was declared before.
	 * @param method the method that is called
	 * @param type the interface that is called
	 * @return the job, or {@code null} if it was not declared yet
	 */
	@Nullable UniqueJobDefinition known(Method method, Class<?> type) {
		return this.jobs.get(AopUtils.getMostSpecificMethod(method, type));
	}

	/**
	 * Return a job that was declared before.
	 * @param name the name of the job, or one of its aliases
	 * @return the job, or empty if it was not declared yet
	 */
	Optional<UniqueJobDefinition> known(String name) {
		return this.jobs.values()
			.stream()
			.filter((job) -> job.name().equals(name) || job.aliases().contains(name))
			.findFirst();
	}

	/**
	 * Make the job that an interface declares.
	 * @param call the call of a type that no bean has
	 * @return the job
	 * @throws IllegalArgumentException if the type declares none, or one that cannot work
	 */
	UniqueJobDefinition declare(RecordedCall call) {
		Class<?> type = call.type();
		Method method = AopUtils.getMostSpecificMethod(call.method(), type);
		String name = ClassUtils.getShortName(type);
		if (!type.isInterface()) {
			throw new IllegalArgumentException("There is no bean of type " + name + " here, and so no job " + call
					+ ". Define the bean, or move @UniqueJob with a name to a method of an interface and give that");
		}
		MergedAnnotation<UniqueJob> annotation = UniqueJobAnnotations.find(method, type);
		if (annotation == null) {
			throw new IllegalArgumentException(call + " is no job: no bean here implements " + name
					+ ", and the method of the interface has no @UniqueJob. Annotate it there, with a name");
		}
		if (annotation.getString("name").isEmpty()) {
			throw new IllegalArgumentException("No bean here implements " + name + ", so that the job " + call
					+ " cannot be called after one. Write a name into the @UniqueJob of the interface, such as"
					+ " name = \"" + ClassUtils.getShortNameAsProperty(type) + "." + method.getName() + "\"");
		}
		UniqueJobDefinition job = resolve(type, method, annotation);
		UniqueJobDefinition known = this.jobs.putIfAbsent(method, job);
		return (known != null) ? known : job;
	}

	/**
	 * A bean may have the annotation by another interface above this one: the job is the
	 * bean's.
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
			own.add("The name '" + job.name() + "' is taken by "
					+ JobProblems.subject(taken.bean().name(), taken.job().method()) + ".", "Write another one.");
		}
		if (!problems.isEmpty()) {
			InvalidUniqueJobException cause = new InvalidUniqueJobException(problems);
			throw new IllegalArgumentException(cause.getMessage(), cause);
		}
		return job;
	}

}
