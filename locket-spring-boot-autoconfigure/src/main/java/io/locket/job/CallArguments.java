package io.locket.job;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

import io.locket.queue.ArgumentCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Makes the arguments of a call of what somebody has written down beside the name of a
 * job: {@code 42} may stand for a {@code long}, and {@code "2026-05"} for a
 * {@code YearMonth}.
 */
final class CallArguments {

	private CallArguments() {
	}

	/**
	 * Java takes a {@code null} in the place of the arguments for no array of them.
	 */
	static @Nullable Object[] require(@Nullable Object @Nullable [] args) {
		return Objects.requireNonNull(args,
				"'args' must not be null; one argument that is null is written as (Object) null");
	}

	/**
	 * Convert arguments to the types of the parameters.
	 * @param codec converts them
	 * @param job the job
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message tells no values
	 */
	static @Nullable Object[] of(ArgumentCodec codec, UniqueJobDefinition job, @Nullable Object... args) {
		require(args);
		if (Arrays.stream(args).anyMatch(EnqueueOptions.class::isInstance)) {
			throw new IllegalArgumentException("EnqueueOptions are no argument of job '" + job.name()
					+ "'. They go first: enqueue(options, \"" + job.name() + "\", arguments...)");
		}
		int count = job.method().getParameterCount();
		if (args.length != count) {
			throw new IllegalArgumentException(
					"Job '" + job.name() + "' takes " + count + " argument(s), but there are " + args.length);
		}
		try {
			return codec.convert(job.method(), args);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Job '" + job.name() + "': " + ex.getMessage(), ex);
		}
	}

	/**
	 * Convert arguments of a call that need not be queued. What a call in Java takes as
	 * it is and cannot be converted stays.
	 * @param codec converts them
	 * @param job the job
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message tells no values
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
