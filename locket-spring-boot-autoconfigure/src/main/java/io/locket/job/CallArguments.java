package io.locket.job;

import java.lang.reflect.Array;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Makes the arguments of a call of what somebody has written down, the way a call in Java
 * does: an {@code int} may stand for a {@code long}.
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

	static @Nullable Object[] of(UniqueJobDefinition job, @Nullable Object... args) {
		require(args);
		Class<?>[] types = job.method().getParameterTypes();
		if (args.length != types.length) {
			throw new IllegalArgumentException(
					"Job '" + job.name() + "' takes " + types.length + " argument(s), but there are " + args.length);
		}
		@Nullable Object[] converted = new @Nullable Object[types.length];
		for (int i = 0; i < types.length; i++) {
			converted[i] = convert(job, i, types[i], args[i]);
		}
		return converted;
	}

	private static @Nullable Object convert(UniqueJobDefinition job, int index, Class<?> type, @Nullable Object arg) {
		if (ClassUtils.isAssignableValue(type, arg)) {
			return arg;
		}
		IllegalArgumentException mismatch = new IllegalArgumentException(
				"Argument " + index + " of job '" + job.name() + "' is of type " + type.getTypeName()
						+ ", but there is " + ((arg != null) ? arg.getClass().getTypeName() : "null"));
		if (arg == null || !type.isPrimitive()) {
			throw mismatch;
		}
		try {
			Object widened = Array.newInstance(type, 1);
			Array.set(widened, 0, arg);
			return Array.get(widened, 0);
		}
		catch (IllegalArgumentException ex) {
			mismatch.initCause(ex);
			throw mismatch;
		}
	}

}
