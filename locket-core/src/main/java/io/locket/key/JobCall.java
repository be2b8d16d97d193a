package io.locket.key;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Call of a job method.
 *
 * @param job the name of the job
 * @param queue the queue of the job; empty if there is none
 * @param method the annotated method
 * @param arguments the arguments in their order
 */
public record JobCall(String job, String queue, Method method, List<@Nullable Object> arguments) {

	/**
	 * Creates a call that has no queue.
	 * @param job the name of the job
	 * @param method the annotated method
	 * @param arguments the arguments in their order
	 * @return the call
	 */
	public static JobCall of(String job, Method method, @Nullable Object... arguments) {
		return of(job, "", method, arguments);
	}

	/**
	 * Creates a call.
	 * @param job the name of the job
	 * @param queue the queue
	 * @param method the annotated method
	 * @param arguments the arguments in their order
	 * @return the call
	 */
	public static JobCall of(String job, String queue, Method method, @Nullable Object... arguments) {
		return new JobCall(job, queue, method, Collections.unmodifiableList(Arrays.asList(arguments.clone())));
	}

}
