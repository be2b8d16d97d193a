package io.locket.log;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ErrorText}.
 */
class ErrorTextTests {

	private static final String TYPE = "java.lang.IllegalStateException";

	@Test
	void textIsTheClassAndTheMessage() {
		assertThat(ErrorText.of(new IllegalStateException("no paper"), false)).isEqualTo(TYPE + ": no paper");
		assertThat(ErrorText.of(new IllegalStateException(), false)).isEqualTo(TYPE);
	}

	@Test
	void messageIsLeftOutIfArgumentsAreMasked() {
		assertThat(ErrorText.of(new IllegalStateException("customer 42"), true)).isEqualTo(TYPE);
	}

	@Test
	void messageThatCannotBeReadIsLeftOut() {
		assertThat(ErrorText.of(new UnreadableException(), false)).isEqualTo(UnreadableException.class.getName());
	}

	@Test
	void longTextIsCutBetweenCharacters() {
		assertThat(ErrorText.of(new IllegalStateException("x".repeat(2000)), false)).hasSize(1000).endsWith("x");
		String pair = "\uD83D\uDD12";
		String message = "x".repeat(999 - TYPE.length() - 2) + pair + pair;
		assertThat(ErrorText.of(new IllegalStateException(message), false)).hasSize(999).endsWith("x");
	}

	static class UnreadableException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException();
		}

	}

}
