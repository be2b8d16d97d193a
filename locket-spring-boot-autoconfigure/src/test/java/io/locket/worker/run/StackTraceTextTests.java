package io.locket.worker.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.locket.queue.FailedAttempt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StackTraceText}.
 */
class StackTraceTextTests {

	@Test
	void traceHasTheFailureItsFramesAndItsCauses() {
		Exception failure = new IllegalStateException("outer", cause("inner"));
		failure.addSuppressed(new RuntimeException("aside"));
		assertThat(StackTraceText.of(failure, false)).startsWith("java.lang.IllegalStateException: outer\n\tat ")
			.contains("StackTraceTextTests.traceHasTheFailureItsFramesAndItsCauses(StackTraceTextTests.java:")
			.contains("\n\tSuppressed: java.lang.RuntimeException: aside\n")
			.contains("\nCaused by: java.io.IOException: inner\n\tat ")
			.contains(" more\n");
	}

	@Test
	void maskedTraceHasNoMessages() {
		Exception failure = new IllegalStateException("secret", cause("secret"));
		failure.addSuppressed(new RuntimeException("secret"));
		assertThat(StackTraceText.of(failure, true)).doesNotContain("secret")
			.contains("java.io.IOException\n\tat ", "java.lang.RuntimeException\n");
	}

	@Test
	void messageIsOneLine() {
		assertThat(StackTraceText.of(new IllegalStateException("a\n\tat b\r\nc"), false))
			.startsWith("java.lang.IllegalStateException: a \tat b c\n\tat ");
	}

	@Test
	void deepTraceIsBoundedAndEndsWithACut() {
		Exception failure = new Exception("\u20ac".repeat(900));
		for (int i = 0; i < 30; i++) {
			failure = new Exception("\u20ac".repeat(900), failure);
		}
		String text = StackTraceText.of(failure, false);
		assertThat(text.getBytes(StandardCharsets.UTF_8).length).isBetween(FailedAttempt.MAX_TRACE_BYTES / 2,
				FailedAttempt.MAX_TRACE_BYTES);
		assertThat(text).endsWith("\n...\n");
	}

	@Test
	void causeOfADeepRecursionIsShown() {
		assertThat(StackTraceText.of(recurse(500), false)).contains("Caused by: java.io.IOException: at the bottom");
	}

	@Test
	void circularCausesEnd() {
		Exception one = new Exception("one");
		Exception other = new Exception("other", one);
		one.initCause(other);
		assertThat(StackTraceText.of(one, false)).containsOnlyOnce("one").containsOnlyOnce("other");
	}

	@Test
	void failureThatCannotBeReadHasNoTrace() {
		assertThat(StackTraceText.of(new Unreadable(), false)).isNull();
	}

	private static Exception cause(String message) {
		return new IOException(message);
	}

	private static Exception recurse(int depth) {
		return (depth > 0) ? recurse(depth - 1) : new Exception("outer", new IOException("at the bottom"));
	}

	private static final class Unreadable extends RuntimeException {

		@Override
		public synchronized Throwable getCause() {
			throw new UnsupportedOperationException();
		}

	}

}
