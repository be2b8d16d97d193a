package io.locket.queue.argument;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
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
	 * Returns the reason of a failure, with the type that could not be written or read,
	 * if it is known.
	 */
	static String of(Throwable failure) {
		if (failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
			return "the value does not fit the type " + ParameterText.ofType(mismatch.getTargetType());
		}
		if (failure instanceof InvalidDefinitionException definition && definition.getType() != null) {
			return "Jackson cannot write or create the type " + text(definition.getType())
					+ ", or the value refers to itself";
		}
		if (failure instanceof ValueInstantiationException instantiation && instantiation.getType() != null) {
			return "the constructor of " + text(instantiation.getType()) + " failed" + thrown(failure.getCause());
		}
		if (failure instanceof StackOverflowError || failure instanceof StreamConstraintsException) {
			return "the value is too large, is nested too deeply, or refers to itself";
		}
		if (failure instanceof StreamReadException) {
			return "the text is malformed";
		}
		Throwable cause = failure.getCause();
		boolean wrapped = failure instanceof JacksonException && cause != null;
		return "the conversion failed" + thrown(wrapped ? cause : failure);
	}

	private static String text(JavaType type) {
		return type.hasGenericTypes() ? type.toCanonical() : ParameterText.ofType(type.getRawClass());
	}

	private static String thrown(@Nullable Throwable failure) {
		return (failure != null) ? " with a " + failure.getClass().getName() : "";
	}

}
