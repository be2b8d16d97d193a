package io.locket.log;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Text of a failure, for the record and for logs.
 */
public final class ErrorText {

	private static final Log logger = LogFactory.getLog(ErrorText.class);

	private static final int MAX_LENGTH = 1000;

	private ErrorText() {
	}

	/**
	 * Returns the class of a failure, and its message unless it may contain arguments.
	 * @param failure the failure
	 * @param masked whether to omit the message
	 * @return the text, of bounded length
	 */
	public static String of(Throwable failure, boolean masked) {
		String type = failure.getClass().getName();
		String message = masked ? null : messageOf(failure);
		String text = (message != null) ? type + ": " + message : type;
		if (text.length() <= MAX_LENGTH) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
	}

	private static @Nullable String messageOf(Throwable failure) {
		try {
			return failure.getMessage();
		}
		catch (RuntimeException ex) {
			logger.debug("The message of a failure cannot be read", ex);
			return null;
		}
	}

}
