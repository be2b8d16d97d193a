package io.locket.queue.redis.format;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecordFormat}.
 */
class RecordFormatTests {

	@Test
	void recordOfALaterVersionIsNotRead() {
		assertThat(new RecordFormat().find("id", new byte[] { 2, 0, 0, 0, 1, 'x' })).isEmpty();
	}

	@ParameterizedTest
	@MethodSource
	void recordThatIsCutOrHasNoVersionIsNotRead(byte[] record) {
		assertThat(new RecordFormat().find("id", record)).isEmpty();
	}

	static Stream<byte[]> recordThatIsCutOrHasNoVersionIsNotRead() {
		return Stream.of(new byte[0], new byte[] { 1, 5, 'r' }, new byte[] { (byte) 128, 'x' },
				new byte[] { (byte) 129, 0 }, new byte[] { (byte) 130, 'x' });
	}

}
