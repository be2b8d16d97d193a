package io.locket.lease.redis;

import java.time.Instant;

import io.locket.JobKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HolderRecord}, the stored form of locks.
 */
class HolderRecordTests {

	private static final String TOKEN = "c0ffee00-0000-4000-8000-000000000001";

	@Test
	void recordOfTheFirstVersionIsRead() {
		assertThat(HolderRecord.parse(TOKEN + " 1795317451667344 1795317451667 {\"job\":\"bill\",\"key\":\"[42]\","
				+ "\"instance\":\"vm/1/a\",\"thread\":\"main\"}"))
			.isEqualTo(new HolderRecord(TOKEN, 1795317451667344L, Instant.ofEpochMilli(1795317451667L),
					new HolderRecord.Body("bill", "[42]", "vm/1/a", "main")));
	}

	@Test
	void markOfAWaiterIsNotPartOfTheRecord() {
		String record = TOKEN + " 1 2 {\"job\":\"bill\",\"key\":\"[]\",\"instance\":\"i\",\"thread\":\"t w\"}";
		assertThat(HolderRecord.parse(record + HolderRecord.WAITER)).isNotNull().isEqualTo(HolderRecord.parse(record));
	}

	@Test
	void laterFieldDoesNotDisturbAnEarlierReader() {
		HolderRecord record = HolderRecord.parse(TOKEN + " 1 2 {\"later\":{\"a\":[1]},\"job\":\"bill\",\"key\":\"[]\","
				+ "\"instance\":\"i\",\"thread\":\"t\",\"last\":null}");
		assertThat(record).isNotNull();
		assertThat(record.body()).isEqualTo(new HolderRecord.Body("bill", "[]", "i", "t"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "\"quoted\"", "back\\slash", "line\nbreak", "\u0000", "a b", "\uD83D\uDE00", "" })
	void textsSurvive(String text) {
		JobKey key = new JobKey("job", "0".repeat(32), text);
		HolderRecord record = HolderRecord.parse(TOKEN + " 1 2 " + HolderRecord.body(key, text, text));
		assertThat(record).isNotNull();
		assertThat(record.body()).isEqualTo(new HolderRecord.Body("job", text, text, text));
	}

}
