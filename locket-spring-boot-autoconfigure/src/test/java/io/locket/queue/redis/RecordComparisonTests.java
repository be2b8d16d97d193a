package io.locket.queue.redis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecordComparison}.
 */
class RecordComparisonTests {

	private static final String JSON = "{\"er\":\"it broke\",\"y\":10,\"wr\":\"failed\"}";

	private static final String REORDERED = "{\"wr\":\"failed\",\"er\":\"it broke\",\"y\":10}";

	/**
	 * Where the size of the head of a job that waits for a retry begins.
	 */
	private static final int SIZE_AT = 13;

	private final RecordComparison redis = comparison("redis_version");

	private final RecordComparison valkey = comparison("redis_version", "valkey_version");

	private static RecordComparison comparison(String... fields) {
		Properties info = new Properties();
		for (String field : fields) {
			info.setProperty(field, "8.1.1");
		}
		return RecordComparison.of(info);
	}

	@Test
	void orderOfFieldsCountsOnRedis() throws IOException {
		assertThat(this.redis.form(record(JSON))).isEqualTo(record(JSON))
			.isNotEqualTo(this.redis.form(record(REORDERED)));
	}

	@Test
	void orderOfFieldsDoesNotCountOnValkey() throws IOException {
		assertThat(this.valkey.form(record(JSON))).isEqualTo(this.valkey.form(record(REORDERED)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\\\",\\\"wr\\\":\\\"b", "a\\\\", "{\\\"y\\\":1,\\\"er\\\":2}", "\u00fc \u20ac",
			"\\u0085\\n", "", "[]", "," })
	void textsStayWhole(String text) throws IOException {
		byte[] first = record("{\"er\":\"" + text + "\",\"wr\":\"failed\"}");
		byte[] second = record("{\"wr\":\"failed\",\"er\":\"" + text + "\"}");
		assertThat(this.valkey.form(first)).isEqualTo(this.valkey.form(second)).isEqualTo(first);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'',
			value = { "value            | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":11}",
					"text              | {\"wr\":\"failed\",\"er\":\"it Broke\",\"y\":10}",
					"missing field     | {\"wr\":\"failed\",\"er\":\"it broke\"}",
					"additional field  | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":10,\"rn\":1}",
					"repeated field    | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":10,\"y\":10}",
					"another name      | {\"wr\":\"failed\",\"er\":\"it broke\",\"ib\":10}",
					"swapped values    | {\"wr\":\"it broke\",\"er\":\"failed\",\"y\":10}",
					"type              | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":\"10\"}",
					"null              | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":null}",
					"fraction          | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":10.0}",
					"exponent          | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":1e1}",
					"sign              | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":-10}",
					"escape            | {\"wr\":\"failed\",\"er\":\"it\\u0020broke\",\"y\":10}",
					"blank             | {\"wr\":\"failed\", \"er\":\"it broke\",\"y\":10}",
					"nested object     | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":{\"a\":1,\"b\":2}}",
					"list              | {\"wr\":\"failed\",\"er\":\"it broke\",\"y\":[10]}" })
	void differentFieldsDiffer(String difference, String json) throws IOException {
		assertThat(this.valkey.form(record(json))).as(difference).isNotEqualTo(this.valkey.form(record(JSON)));
	}

	/**
	 * Only the last of equal names counts for a reader.
	 */
	@Test
	void orderOfRepeatedFieldsCounts() throws IOException {
		assertThat(this.valkey.form(record("{\"y\":1,\"y\":2}")))
			.isNotEqualTo(this.valkey.form(record("{\"y\":2,\"y\":1}")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"y\":{\"a\":1},\"er\":\"a\"}", "{\"y\":1 ,\"er\":\"a\"}", "{}", "[1]" })
	void otherJsonStays(String json) throws IOException {
		assertThat(this.valkey.form(record(json))).isEqualTo(record(json));
	}

	@Test
	void allOtherBytesCount() throws IOException {
		byte[] record = record(JSON);
		byte[] form = this.valkey.form(record);
		for (int at = 0; at < record.length; at++) {
			byte[] changed = record(REORDERED);
			changed[at] ^= 1;
			assertThat(this.valkey.form(changed)).as("byte %d", at).isNotEqualTo(form);
		}
	}

	@Test
	void argumentsAreNotSorted() throws IOException {
		byte[] first = RecordBytes.of(record(JSON)).withBody("[{\"b\":1,\"a\":2}]").bytes();
		byte[] second = RecordBytes.of(record(JSON)).withBody("[{\"a\":2,\"b\":1}]").bytes();
		assertThat(this.valkey.form(first)).isNotEqualTo(this.valkey.form(second));
	}

	@Test
	void recordsWithoutJsonAndDamagedOnesStay() throws IOException {
		byte[] plain = golden("plain");
		assertThat(this.valkey.form(plain)).isEqualTo(plain);
		byte[] damaged = record("{\"y\":1,\"er\":\"a\"");
		assertThat(this.valkey.form(damaged)).isEqualTo(damaged);
		assertThat(this.valkey.form(new byte[0])).isEmpty();
		assertThat(this.valkey.form(new byte[] { 1, 5 })).containsExactly(1, 5);
	}

	@Test
	void givenRecordIsNotChanged() throws IOException {
		byte[] record = record(REORDERED);
		assertThat(this.valkey.form(record)).isNotEqualTo(record);
		assertThat(record).isEqualTo(record(REORDERED));
	}

	/**
	 * Returns the record of a job that waits for a retry, with other JSON.
	 */
	private static byte[] record(String json) throws IOException {
		byte[] golden = golden("retry");
		RecordBytes read = RecordBytes.of(golden);
		byte[] text = json.getBytes(StandardCharsets.UTF_8);
		ByteBuffer record = ByteBuffer.allocate(golden.length - read.jsonSize() + text.length)
			.put(golden, 0, read.jsonAt())
			.put(text)
			.put(golden, read.jsonAt() + read.jsonSize(), golden.length - read.jsonAt() - read.jsonSize());
		record.putInt(read.jsonAt() - 4, text.length);
		record.putInt(SIZE_AT, record.getInt(SIZE_AT) - read.jsonSize() + text.length);
		return record.array();
	}

	private static byte[] golden(String id) throws IOException {
		return HexFormat.of()
			.parseHex(new ClassPathResource("record-v1-" + id + ".hex", StoredFormTests.class)
				.getContentAsString(StandardCharsets.US_ASCII)
				.strip());
	}

}
