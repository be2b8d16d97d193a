package io.locket.worker.run;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import io.locket.log.ErrorText;
import io.locket.queue.FailedAttempt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Text of a stack trace, for the history of attempts. Its form is that of the JDK, with
 * each message on one line. Each failure has a bounded number of frames, so that causes
 * fit in the text.
 */
final class StackTraceText {

	private static final Log logger = LogFactory.getLog(StackTraceText.class);

	private static final int MAX_FRAMES = 30;

	private static final int MAX_FAILURES = 20;

	private static final String CUT = "...\n";

	private final boolean masked;

	private final StringBuilder text = new StringBuilder();

	private final Set<Throwable> failures = Collections.newSetFromMap(new IdentityHashMap<>());

	private int left = FailedAttempt.MAX_TRACE_BYTES - CUT.length();

	private StackTraceText(boolean masked) {
		this.masked = masked;
	}

	/**
	 * Returns the stack trace of a failure and its causes.
	 * @param failure the failure
	 * @param masked whether to omit the messages
	 * @return the text, of bounded size, or {@code null} if it cannot be read
	 */
	static @Nullable String of(Throwable failure, boolean masked) {
		StackTraceText trace = new StackTraceText(masked);
		try {
			trace.add(failure, "", "", new StackTraceElement[0]);
		}
		catch (RuntimeException ex) {
			logger.debug("The stack trace of a failure cannot be read", ex);
			return null;
		}
		return trace.text.toString();
	}

	private void add(Throwable failure, String indent, String caption, StackTraceElement[] enclosing) {
		if (this.failures.size() == MAX_FAILURES || !this.failures.add(failure)) {
			return;
		}
		line(indent + caption + ErrorText.of(failure, this.masked).replaceAll("\\R", " "));
		StackTraceElement[] frames = failure.getStackTrace();
		int own = frames.length - common(frames, enclosing);
		int shown = Math.min(own, MAX_FRAMES);
		for (int i = 0; i < shown; i++) {
			line(indent + "\tat " + frames[i]);
		}
		if (shown < frames.length) {
			line(indent + "\t... " + (frames.length - shown) + " more");
		}
		for (Throwable suppressed : failure.getSuppressed()) {
			add(suppressed, indent + "\t", "Suppressed: ", frames);
		}
		Throwable cause = failure.getCause();
		if (cause != null) {
			add(cause, indent, "Caused by: ", frames);
		}
	}

	/**
	 * Returns the number of frames at the end of both stack traces that are equal.
	 */
	private static int common(StackTraceElement[] frames, StackTraceElement[] enclosing) {
		int common = 0;
		while (common < frames.length && common < enclosing.length
				&& frames[frames.length - 1 - common].equals(enclosing[enclosing.length - 1 - common])) {
			common++;
		}
		return common;
	}

	/**
	 * Adds a line. After the first one that does not fit, no other is added.
	 */
	private void line(String line) {
		int size = line.getBytes(StandardCharsets.UTF_8).length + 1;
		if (size <= this.left) {
			this.text.append(line).append('\n');
			this.left -= size;
		}
		else if (this.left >= 0) {
			this.text.append(CUT);
			this.left = -1;
		}
	}

}
