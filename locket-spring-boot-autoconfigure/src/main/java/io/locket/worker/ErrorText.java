package io.locket.worker;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What is stored and said of a failure.
 */
final class ErrorText {

	private static final Log logger = LogFactory.getLog(ErrorText.class);

	private static final int MAX_LENGTH = 1000;

	private ErrorText() {
	}

	/**
	 * Return the class of a failure, and its message unless that may show arguments.
	 * @param failure the failure
	 * @param masked whether to leave out the message
	 * @return the text, of bounded length
	 */
	static String of(Throwable failure, boolean masked) {
		String type = failure.getClass().getName();
		String message = masked ? null : messageOf(failure);
		String text = (message != null) ? type + ": " + message : type;
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) : text;
	}

	private static @Nullable String messageOf(Throwable failure) {
		try {
			return failure.getMessage();
		}
		catch (RuntimeException ex) {
			logger.debug("A failure cannot tell its message", ex);
			return null;
		}
	}

}
