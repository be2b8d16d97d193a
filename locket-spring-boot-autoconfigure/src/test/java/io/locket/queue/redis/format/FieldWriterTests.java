package io.locket.queue.redis.format;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link FieldWriter}.
 */
class FieldWriterTests {

	private final FieldWriter writer = new FieldWriter(8);

	@Test
	void fieldsAreReadAsTheyAreWritten() {
		FieldWriter inner = new FieldWriter(8);
		inner.text(1, "ä");
		this.writer.number(6, 281_474_976_710_655L);
		this.writer.text(2, "text");
		this.writer.bytes(inner);
		this.writer.number(1, 7);
		assertThat(this.writer.size()).isEqualTo(6 + 2 + 4 + 1 + 2 + 1);
		FieldReader reader = new FieldReader(this.writer.bytes());
		assertThat(reader.number(6)).isEqualTo(281_474_976_710_655L);
		assertThat(reader.text(2)).isEqualTo("text");
		assertThat(reader.text(1)).isEqualTo("ä");
		assertThat(reader.number(1)).isEqualTo(7);
		assertThat(reader.hasMore()).isFalse();
	}

	@Test
	void textThatIsTooLongForItsLengthIsRefused() {
		this.writer.text(1, "x".repeat(255));
		assertThatIllegalArgumentException().isThrownBy(() -> this.writer.text(1, "x".repeat(256)))
			.withMessage("A text must have less than 256 bytes");
	}

}
