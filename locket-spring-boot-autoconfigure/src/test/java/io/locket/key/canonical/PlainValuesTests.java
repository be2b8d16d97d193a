package io.locket.key.canonical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PlainValues}.
 */
class PlainValuesTests {

	private final CanonicalJson json = new CanonicalJson();

	static Stream<@Nullable Object> plainValues() {
		return Stream.of("", "a", "\"\\\n\u0000\u007f\u0085\u200e\u2028\ud800 \ud83d\ude00 é", 0, 1, -1, 1000,
				Integer.MIN_VALUE, Integer.MAX_VALUE, 0L, -7L, 1_000_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE, true,
				false, null);
	}

	@ParameterizedTest
	@MethodSource("plainValues")
	void plainValueIsWrittenAsTheSerializersWriteIt(@Nullable Object value) {
		List<@Nullable Object> list = Collections.singletonList(value);
		assertThat(PlainValues.write(list)).isEqualTo(this.json.write(new OtherList(list)));
		assertThat("[" + PlainValues.write(value) + "]").isEqualTo(PlainValues.write(list));
	}

	@Test
	void listIsWrittenAsTheSerializersWriteIt() {
		List<@Nullable Object> list = plainValues().toList();
		String written = this.json.write(new OtherList(list));
		assertThat(PlainValues.write(list)).isEqualTo(written);
		assertThat(PlainValues.write(Arrays.asList(list.toArray()))).isEqualTo(written);
		assertThat(PlainValues.write(Collections.unmodifiableList(list))).isEqualTo(written);
		assertThat(PlainValues.write(List.of())).isEqualTo("[]");
	}

	@Test
	void valueThatNeedsASerializerIsLeftToIt() {
		assertThat(PlainValues.write(new OtherList(List.of("a")))).isNull();
		assertThat(PlainValues.write(List.of("a", List.of()))).isNull();
		assertThat(PlainValues.write(1.5)).isNull();
		assertThat(PlainValues.write("a".repeat(PlainValues.MAX_LENGTH + 1))).isNull();
		assertThat(PlainValues.write(Collections.nCopies(PlainValues.MAX_LENGTH + 1, 1))).isNull();
	}

	/**
	 * A list that is not of the JDK.
	 */
	private static final class OtherList extends ArrayList<@Nullable Object> {

		OtherList(List<@Nullable Object> elements) {
			super(elements);
		}

	}

}
