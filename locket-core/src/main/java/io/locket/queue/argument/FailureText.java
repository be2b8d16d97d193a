package io.locket.queue.argument;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Text of a failure of Jackson, without the values that its own messages quote.
 */
final class FailureText {

	private FailureText() {
	}

	/**
	 * Returns the kind of a failure, and the type that could not be read, if it is known.
	 */
	static String of(Throwable failure) {
		String type = typeOf(failure);
		return failure.getClass().getSimpleName() + ((type != null) ? " for " + type : "");
	}

	private static @Nullable String typeOf(Throwable failure) {
		if (failure instanceof MismatchedInputException mismatch) {
			return (mismatch.getTargetType() != null) ? mismatch.getTargetType().getTypeName() : null;
		}
		JavaType type = (failure instanceof InvalidDefinitionException definition) ? definition.getType()
				: (failure instanceof ValueInstantiationException instantiation) ? instantiation.getType() : null;
		return (type != null) ? type.toCanonical() : null;
	}

}
