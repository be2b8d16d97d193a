package io.locket.key;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A call of a job method.
 *
 * @param job the name of the job
 * @param method the annotated method
 * @param arguments the arguments in their order
 */
public record JobCall(String job, Method method, List<@Nullable Object> arguments) {

	/**
	 * Create a call.
	 * @param job the name of the job
	 * @param method the annotated method
	 * @param arguments the arguments in their order
	 * @return the call
	 */
	public static JobCall of(String job, Method method, @Nullable Object... arguments) {
		return new JobCall(job, method, Collections.unmodifiableList(Arrays.asList(arguments.clone())));
	}

}
