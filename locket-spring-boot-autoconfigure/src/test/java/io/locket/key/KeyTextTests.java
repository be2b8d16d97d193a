package io.locket.key;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyText}.
 */
class KeyTextTests {

	private static final String DIGEST = "jcSQj3sQX5xiwj6neYc9aQ";

	@Test
	void arrayKeepsItsBracketsAndOtherValuesGetParentheses() {
		assertThat(KeyText.of("[42,\"May\"]", DIGEST, false)).isEqualTo("[42,\"May\"]");
		assertThat(KeyText.of("42", DIGEST, false)).isEqualTo("(42)");
	}

	@Test
	void maskedKeysDifferByTheirDigest() {
		String masked = KeyText.of("[42]", DIGEST, true);
		assertThat(masked).isEqualTo("[***]#jcSQj3sQX5xi");
		assertThat(KeyText.isMasked(masked)).isTrue();
		assertThat(KeyText.isMasked("[42]")).isFalse();
	}

	@Test
	void longTextIsCutBetweenCharacters() {
		String text = "[" + "x".repeat(KeyText.MAX_LENGTH - 2) + "]";
		assertThat(KeyText.of(text, DIGEST, false)).isEqualTo(text);
		assertThat(KeyText.of("[" + "x".repeat(300) + "]", DIGEST, false))
			.isEqualTo("[" + "x".repeat(KeyText.MAX_LENGTH - 1) + "… (302 characters)");
		assertThat(KeyText.of("[" + "x".repeat(KeyText.MAX_LENGTH - 2) + "\uD83D\uDD12]", DIGEST, false))
			.isEqualTo("[" + "x".repeat(KeyText.MAX_LENGTH - 2) + "… (202 characters)");
	}

}
