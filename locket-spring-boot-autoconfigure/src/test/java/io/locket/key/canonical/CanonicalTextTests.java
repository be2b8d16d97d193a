package io.locket.key.canonical;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link CanonicalText}.
 */
class CanonicalTextTests {

	private static final String ZEROS_40 = "0000000000000000000000000000000000000000";

	@ParameterizedTest
	@CsvSource({ "0,0", "0.000,0", "-0.0,0", "0E+1000000,0", "42,42", "42.00,42", "-42.0,-42", "1.0,1", "1.00,1",
			"0.5,0.5", "00.50,0.5", "-0.05,-0.05", "12.340,12.34", "100,100", "1E2,100", "1.5E3,1500", "1E-7,0.0000001",
			"1E+1000000,1E1000000", "-12.5E+1000000,-125E999999", "1E-1000000,1E-1000000", "1E40,1" + ZEROS_40,
			"1E41,1E41", "1E-41,0." + ZEROS_40 + "1", "1E-42,1E-42", "1E+2147483647,1E2147483647",
			"1E-2147483647,1E-2147483647" })
	void numberIsWritten(String number, String expected) {
		assertThat(CanonicalText.ofNumeral(number)).isEqualTo(expected);
	}

	@Test
	@Timeout(20)
	void numberWithManyDigitsIsWrittenInGoodTime() {
		BigDecimal number = new BigDecimal(BigInteger.TEN.pow(300_000));
		assertThat(CanonicalText.ofDecimal(number)).isEqualTo("1E300000");
	}

	@Test
	void doublesAreWrittenInTheirShortestFormOnEveryJdk() {
		assertThat(CanonicalText.ofDouble(0x1p-44)).isEqualTo("0.00000000000005684341886080802");
		assertThat(CanonicalText.ofDouble(2e23)).isEqualTo("200000000000000000000000");
		assertThat(CanonicalText.ofDouble(1e300)).isEqualTo("1E300");
		assertThat(CanonicalText.ofDouble(0.1)).isEqualTo("0.1");
		assertThat(CanonicalText.ofFloat(0.1f)).isEqualTo("0.1");
		assertThat(CanonicalText.ofDouble(-0.0)).isEqualTo("0");
		assertThat(CanonicalText.ofDouble(Double.MIN_VALUE)).isEqualTo("49E-325");
	}

	@ParameterizedTest
	@ValueSource(doubles = { Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY })
	void numbersThatAreNotFiniteAreRefused(double value) {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> CanonicalText.ofDouble(value));
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> CanonicalText.ofFloat((float) value));
	}

	@Test
	void numeralThatIsNotOneIsRefusedWithoutShowingIt() {
		assertThatExceptionOfType(CanonicalJsonException.class).isThrownBy(() -> CanonicalText.ofNumeral("1/2"))
			.withMessageNotContaining("1/2");
	}

	@Test
	void stringIsEscaped() {
		assertThat(CanonicalText.ofString("a\"b\\c/\b\t\n\f\r\u0000\u001f\u007f\u0085{}"))
			.isEqualTo("\"a\\\"b\\\\c/\\b\\t\\n\\f\\r\\u0000\\u001f\\u007f\\u0085{}\"");
		assertThat(CanonicalText.ofString("é中\ud83d\ude00")).isEqualTo("\"é中\ud83d\ude00\"");
	}

	@Test
	void charactersThatReorderOrBreakLinesAreEscaped() {
		assertThat(CanonicalText.ofString("\u2028\u2029\u202e\u2066\u200f\ufeff\u061c"))
			.isEqualTo("\"\\u2028\\u2029\\u202e\\u2066\\u200f\\ufeff\\u061c\"");
	}

	@Test
	void unpairedSurrogatesStayDistinctInUtf8() {
		String[] texts = { "\ud800", "\ud801", "\udc00", "\ud800\ud800", "\udc00\ud800", "?", "\\ud800", "\ud800x" };
		assertThat(texts)
			.extracting((text) -> new String(CanonicalText.ofString(text).getBytes(StandardCharsets.UTF_8),
					StandardCharsets.UTF_8))
			.doesNotHaveDuplicates();
		assertThat(CanonicalText.ofString("\ud800")).isEqualTo("\"\\ud800\"");
		assertThatNoException().isThrownBy(() -> StandardCharsets.UTF_8.newEncoder()
			.encode(CharBuffer.wrap(CanonicalText.ofString("\udfff\ud83d"))));
	}

}
