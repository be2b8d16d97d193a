package io.locket.queue.argument;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.springframework.util.ClassUtils;

/**
 * Descriptions of parameters for messages.
 */
public final class ParameterText {

	private ParameterText() {
	}

	/**
	 * Describes the parameters of a method.
	 * @param method the method of a job
	 * @return types and, if known, names, such as {@code long customer, String note};
	 * empty without parameters
	 */
	public static String of(Method method) {
		return Arrays.stream(method.getParameters())
			.map((parameter) -> ofType(parameter.getParameterizedType())
					+ (parameter.isNamePresent() ? " " + parameter.getName() : ""))
			.collect(Collectors.joining(", "));
	}

	static String ofType(Type type) {
		return (type instanceof Class<?> plain) ? ClassUtils.getShortName(plain) : type.getTypeName();
	}

}
