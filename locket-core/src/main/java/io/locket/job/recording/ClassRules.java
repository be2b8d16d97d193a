package io.locket.job.recording;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

import io.locket.UniqueJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Rules that a class must meet so that its calls can be recorded. A method that cannot be
 * overridden would run on an object whose constructor did not run. It is rejected if it
 * is a job, and named if nothing was recorded.
 */
final class ClassRules {

	private static final String INSTEAD = " Use an interface that it implements, or enqueue by the name of the job";

	private ClassRules() {
	}

	static void check(Class<?> type) {
		String reason = reason(type);
		if (reason != null) {
			throw new IllegalArgumentException(
					"Calls of " + MethodText.of(type) + " cannot be recorded: " + reason + "." + INSTEAD);
		}
		for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
			String obstacle = obstacle(type, method);
			if (obstacle != null && isJob(method)) {
				throw new IllegalArgumentException(
						"Calls of " + MethodText.of(type, method) + " cannot be recorded: the method is " + obstacle
								+ ", so its body would run." + remedy(obstacle) + INSTEAD);
			}
		}
	}

	private static @Nullable String reason(Class<?> type) {
		if (type.isPrimitive() || type.isArray()) {
			return "it is not the class of a bean";
		}
		if (type.isSealed()) {
			return "it is sealed, so it cannot be extended";
		}
		if (Modifier.isFinal(type.getModifiers())) {
			return "it is final, so it cannot be extended (in Kotlin: add 'open' or the plugin kotlin-spring)";
		}
		return null;
	}

	private static String remedy(String obstacle) {
		return obstacle.equals("final") ? " Remove 'final' (in Kotlin: add 'open' or the plugin kotlin-spring)."
				: " Make it a public instance method.";
	}

	private static boolean isJob(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(UniqueJob.class);
	}

	/**
	 * Returns the reason why a class generated in the same package cannot override a
	 * method, or {@code null}.
	 */
	private static @Nullable String obstacle(Class<?> type, Method method) {
		int modifiers = method.getModifiers();
		if (method.getDeclaringClass() == Object.class || method.isSynthetic()) {
			return null;
		}
		if (Modifier.isStatic(modifiers)) {
			return "static";
		}
		if (Modifier.isPrivate(modifiers)) {
			return "private";
		}
		if (Modifier.isFinal(modifiers)) {
			return "final";
		}
		return (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)
				|| isInPackageOf(type, method.getDeclaringClass())) ? null : "visible in another package only";
	}

	private static boolean isInPackageOf(Class<?> type, Class<?> declaring) {
		return declaring.getClassLoader() == type.getClassLoader()
				&& ClassUtils.getPackageName(declaring).equals(ClassUtils.getPackageName(type));
	}

	static List<String> unrecordable(Class<?> type) {
		TreeSet<String> methods = new TreeSet<>();
		for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
			String obstacle = obstacle(type, method);
			if (Objects.equals(obstacle, "final") || Objects.equals(obstacle, "visible in another package only")) {
				methods.add(MethodText.of(type, method));
			}
		}
		return List.copyOf(methods);
	}

}
