package io.locket.job;

import java.util.Objects;
import java.util.stream.IntStream;

import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.argument.ArgumentCodec;
import io.locket.queue.argument.ParameterText;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Conversion of untyped arguments to the parameter types of a job: {@code 42} may stand
 * for a {@code long}, and {@code "2026-05"} for a {@code YearMonth}.
 */
final class CallArguments {

	private CallArguments() {
	}

	/**
	 * Rejects a {@code null} array, which Java passes for a single {@code null} argument.
	 */
	static @Nullable Object[] require(@Nullable Object @Nullable [] args) {
		return Objects.requireNonNull(args, "'args' must not be null; pass a single null argument as (Object) null");
	}

	/**
	 * Converts arguments to the types of the parameters.
	 * @param codec the codec
	 * @param job the job
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message contains no values
	 */
	static @Nullable Object[] of(ArgumentCodec codec, UniqueJobDefinition job, @Nullable Object... args) {
		require(args);
		for (Object arg : args) {
			if (arg instanceof EnqueueOptions) {
				throw new IllegalArgumentException("EnqueueOptions are not an argument of job '" + job.name()
						+ "'. Pass them first: enqueue(options, \"" + job.name() + "\", arguments...)");
			}
		}
		int count = job.method().getParameterCount();
		if (args.length != count) {
			String parameters = ParameterText.of(job.method());
			throw new IllegalArgumentException("Job '" + job.name() + "' takes " + count + " argument(s)"
					+ (parameters.isEmpty() ? "" : " (" + parameters + ")") + ", but there are " + args.length);
		}
		try {
			return codec.convert(job.method(), job.beanType(), args);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Job '" + job.name() + "': " + ex.getMessage(), ex);
		}
	}

	/**
	 * Converts arguments of a call that need not be queued. An argument that cannot be
	 * converted is passed unchanged if its type matches.
	 * @param codec the codec
	 * @param job the job
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message contains no values
	 */
	static @Nullable Object[] ofDirectCall(ArgumentCodec codec, UniqueJobDefinition job, @Nullable Object... args) {
		try {
			return of(codec, job, args);
		}
		catch (IllegalArgumentException ex) {
			if (areTaken(job.method().getParameterTypes(), args)) {
				return args;
			}
			throw ex;
		}
	}

	private static boolean areTaken(Class<?>[] types, @Nullable Object[] args) {
		return types.length == args.length
				&& IntStream.range(0, types.length).allMatch((i) -> ClassUtils.isAssignableValue(types[i], args[i]));
	}

}
