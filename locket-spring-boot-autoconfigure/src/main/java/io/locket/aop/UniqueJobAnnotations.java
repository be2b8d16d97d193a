package io.locket.aop;

import java.lang.reflect.Method;
import java.util.Map;

import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Finds {@link UniqueJob}, also on interfaces, on overridden methods and as a
 * meta-annotation.
 */
final class UniqueJobAnnotations {

	private UniqueJobAnnotations() {
	}

	static boolean isCandidate(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, UniqueJob.class);
	}

	static @Nullable MergedAnnotation<UniqueJob> find(Method method) {
		MergedAnnotation<UniqueJob> annotation = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(UniqueJob.class);
		return annotation.isPresent() ? annotation : null;
	}

	static Map<Method, MergedAnnotation<UniqueJob>> findAll(Class<?> type) {
		return MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<@Nullable MergedAnnotation<UniqueJob>>) UniqueJobAnnotations::find);
	}

}
