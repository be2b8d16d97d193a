package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FieldReader}.
 */
class FieldReaderTests {

	@Test
	void numbersAreUnsignedAndBigEndian() {
		FieldReader reader = reader(0x01, 0x02, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF);
		assertThat(reader.number(2)).isEqualTo(0x0102);
		assertThat(reader.number(7)).isEqualTo(0xFF_FFFF_FFFF_FFFFL);
	}

	@Test
	void signedNumberKeepsItsSign() {
		FieldReader reader = reader(0xFF, 0xFE, 0x7F, 0x80, 0x00, 0x00);
		assertThat(reader.signed(2)).isEqualTo(-2);
		assertThat(reader.signed(1)).isEqualTo(127);
		assertThat(reader.signed(3)).isEqualTo(-(1 << 23));
	}

	@Test
	void timeIsNullForZero() {
		assertThat(reader(0, 0, 0, 0, 0, 0).instant()).isNull();
		assertThat(reader(0, 0, 0, 0, 1, 0).instant()).isEqualTo(Instant.ofEpochMilli(256));
	}

	@Test
	void textFollowsItsLengthInBytes() {
		byte[] text = "ä€".getBytes(StandardCharsets.UTF_8);
		ByteBuffer bytes = ByteBuffer.allocate(9).put((byte) 0).put((byte) text.length).put(text).put((byte) 0);
		FieldReader reader = new FieldReader(bytes.put((byte) 'x').array());
		assertThat(reader.text(2)).isEqualTo("ä€");
		assertThat(reader.textOrNull(1)).isNull();
		assertThat(reader.rest()).isEqualTo("x");
	}

	@Test
	void laterFieldsAreReadWithoutMoving() {
		FieldReader reader = reader(1, 2, 3);
		assertThat(reader.behind(2).number(1)).isEqualTo(3);
		reader.skip(1);
		assertThat(reader.number(1)).isEqualTo(2);
	}

	@Test
	void recordThatIsTooShortIsRefusedBeforeAnythingIsAllocated() {
		assertThatExceptionOfType(BufferUnderflowException.class).isThrownBy(() -> reader(1).number(2));
		assertThatExceptionOfType(BufferUnderflowException.class).isThrownBy(() -> reader(1).skip(2));
		assertThatExceptionOfType(BufferUnderflowException.class).isThrownBy(() -> reader(1).behind(2));
		assertThatExceptionOfType(BufferUnderflowException.class).isThrownBy(() -> reader(1).behind(-1));
		assertThatExceptionOfType(BufferUnderflowException.class)
			.isThrownBy(() -> reader(0xFF, 0xFF, 0xFF, 0xFF, 'x').text(4));
	}

	private static FieldReader reader(int... bytes) {
		ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
		for (int value : bytes) {
			buffer.put((byte) value);
		}
		return new FieldReader(buffer.array());
	}

}
