package io.locket.queue.redis;

import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import tools.jackson.core.JacksonException;

import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Comparison of the records that a server stores. On Redis, the bytes are compared. The
 * scripts of Valkey write the fields of a JSON object in another order than those of
 * Redis, and than the fast paths. So there the JSON in a record is compared without its
 * order: its fields are sorted, each as it is there. All other bytes stay.
 */
final class RecordComparison {

	private static final String TEXT = "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"";

	private static final Pattern FIELD = Pattern.compile(TEXT + ":(?:" + TEXT + "|[^\\s\",:{}\\[\\]]++)",
			Pattern.DOTALL);

	private static final Pattern OBJECT = Pattern.compile("\\{" + FIELD + "(?:," + FIELD + ")*+}", Pattern.DOTALL);

	private final boolean sorts;

	private RecordComparison(boolean sorts) {
		this.sorts = sorts;
	}

	static RecordComparison on(StringRedisTemplate redis) {
		return of(Objects.requireNonNull(
				redis.execute((RedisCallback<Properties>) (connection) -> connection.serverCommands().info("server"))));
	}

	static RecordComparison of(Properties server) {
		return new RecordComparison(server.containsKey("valkey_version"));
	}

	/**
	 * Returns a record in the form in which it is compared.
	 */
	byte[] form(byte[] record) {
		return this.sorts ? sorted(record) : record;
	}

	/**
	 * Sorts the fields of the JSON. A record that cannot be read, or whose JSON is not as
	 * a script writes it, stays as it is.
	 */
	private static byte[] sorted(byte[] record) {
		RecordBytes read;
		try {
			read = RecordBytes.of(record);
		}
		catch (BufferUnderflowException | JacksonException ex) {
			return record;
		}
		String json = new String(record, read.jsonAt(), read.jsonSize(), StandardCharsets.ISO_8859_1);
		if (!OBJECT.matcher(json).matches()) {
			return record;
		}
		String fields = FIELD.matcher(json)
			.results()
			.map(MatchResult::group)
			.sorted(Comparator.comparing((field) -> field.substring(0, field.indexOf(':'))))
			.collect(Collectors.joining(",", "{", "}"));
		byte[] sorted = record.clone();
		System.arraycopy(fields.getBytes(StandardCharsets.ISO_8859_1), 0, sorted, read.jsonAt(), read.jsonSize());
		return sorted;
	}

}
