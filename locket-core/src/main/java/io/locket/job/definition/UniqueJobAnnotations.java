package io.locket.job.definition;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Lookup of {@link UniqueJob}, also on interfaces, on overridden methods and as a
 * meta-annotation.
 */
public final class UniqueJobAnnotations {

	private UniqueJobAnnotations() {
	}

	public static boolean isCandidate(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, UniqueJob.class);
	}

	/**
	 * Finds the annotation of a method of a class. An inherited implementation has the
	 * annotations of the interface methods that it implements in the class.
	 * @param method the most specific method
	 * @param targetClass the class of the object
	 * @return the annotation, or {@code null} if there is none
	 */
	public static @Nullable MergedAnnotation<UniqueJob> find(Method method, Class<?> targetClass) {
		MergedAnnotation<UniqueJob> annotation = find(method);
		if (annotation != null || method.getDeclaringClass().isInterface()) {
			return annotation;
		}
		return ofInterfaces(method, targetClass).stream().findFirst().orElse(null);
	}

	/**
	 * Finds the annotations of the interface methods that a method of a class implements.
	 * @param method the most specific method
	 * @param targetClass the class of the object
	 * @return the annotations, empty for a method of an interface
	 */
	static List<MergedAnnotation<UniqueJob>> ofInterfaces(Method method, Class<?> targetClass) {
		List<MergedAnnotation<UniqueJob>> annotations = new ArrayList<>();
		if (method.getDeclaringClass().isInterface()) {
			return annotations;
		}
		for (Class<?> type : ClassUtils.getAllInterfacesForClass(targetClass)) {
			for (Method candidate : type.getMethods()) {
				MergedAnnotation<UniqueJob> annotation = isImplementedBy(candidate, method, targetClass)
						? find(candidate) : null;
				if (annotation != null) {
					annotations.add(annotation);
				}
			}
		}
		return annotations;
	}

	private static boolean isImplementedBy(Method candidate, Method method, Class<?> targetClass) {
		return candidate.getName().equals(method.getName())
				&& candidate.getParameterCount() == method.getParameterCount()
				&& AopUtils.getMostSpecificMethod(candidate, targetClass).equals(method);
	}

	private static @Nullable MergedAnnotation<UniqueJob> find(Method method) {
		MergedAnnotation<UniqueJob> annotation = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(UniqueJob.class);
		return annotation.isPresent() ? annotation : null;
	}

	public static Map<Method, MergedAnnotation<UniqueJob>> findAll(Class<?> type) {
		return MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<@Nullable MergedAnnotation<UniqueJob>>) (method) -> find(method,
						type));
	}

}
