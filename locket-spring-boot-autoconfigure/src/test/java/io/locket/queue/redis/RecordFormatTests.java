package io.locket.queue.redis;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.queue.JobRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecordFormat}.
 */
class RecordFormatTests {

	@Test
	void recordOfALaterVersionIsReadAsFarAsItIsKnown() {
		JobRecord record = new RecordFormat().read("id",
				"{\"v\":2,\"j\":\"job\",\"q\":\"q\",\"l\":\"XX\",\"c\":\"shrug\",\"s\":\"running\",\"x\":35000,\"r\":5}\n[1]");
		assertThat(record.version()).isEqualTo(2);
		assertThat(record.lock()).isEqualTo(LockStrategy.DEFAULT);
		assertThat(record.onConflict()).isEqualTo(ConflictStrategy.PARK);
		assertThat(record.arguments()).isEqualTo("[1]");
	}

}
