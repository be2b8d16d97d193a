package io.locket.queue.redis.format;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecordFormat}.
 */
class RecordFormatTests {

	@Test
	void recordOfALaterVersionIsNotRead() {
		assertThat(new RecordFormat().find("id", new byte[] { 2, 0, 0, 0, 1, 'x' })).isEmpty();
	}

	@Test
	void recordThatIsCutIsNotRead() {
		assertThat(new RecordFormat().find("id", new byte[] { 1, 5, 'r' })).isEmpty();
	}

}
