package io.locket.text;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineText}.
 */
class LineTextTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, '\n', '\r', '\t', 0x1b, 0x7f, 0x85, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a,
			0x202e, 0x2066, 0x2069, 0xfeff, 0xd800, 0xdc00 })
	void characterThatCouldForgeALineIsEscaped(int c) {
		assertThat(LineText.of("a" + (char) c + "b")).isEqualTo("a" + String.format("\\u%04x", c) + "b");
	}

	@Test
	void formatCharacterBeyondTheBasicPlaneIsEscaped() {
		assertThat(LineText.of("a" + Character.toString(0xe0041))).isEqualTo("a\\udb40\\udc41");
	}

	@Test
	void otherTextStays() {
		String text = "Zürich 東京 \ud83d\ude00 {a=b, \\ \"c\"}";
		assertThat(LineText.of(text)).isSameAs(text);
	}

}
