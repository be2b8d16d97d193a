package io.locket.job.recording;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.springframework.util.ClassUtils;

/**
 * Text of types and methods for messages.
 */
final class MethodText {

	private MethodText() {
	}

	static String of(Class<?> type) {
		return ClassUtils.getShortName(type);
	}

	static String of(Class<?> type, Method method) {
		return of(type) + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}
