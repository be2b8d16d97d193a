package io.locket.queue.redis;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

import tools.jackson.core.JacksonException;

import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * Source of random damage to the stored data of a queue. Equal seeds result in equal
 * damage.
 */
final class DamageMaker {

	private static final List<String> VALUES = List.of("null", "\"junk\"", "\"\"", "\"two words\"", "-1", "0", "0.5",
			"1e300", "1e999", "true", "[]", "{\"x\":1}", "[[[[1]]]]", "\"\\ud83d\"", "\"9999999999999999\"",
			"123456789012345678901234567890", "\"open", "nan", "0x10", "");

	private static final List<String> TEXTS = List.of("", " ", "x", "two words", "WE", "NO", "UP", "running", "dead",
			"ready", "scheduled", "parked", "retry", "9999999999999999", "reject", "raise", "default", "ghost",
			"\u2028");

	private static final List<Long> NUMBERS = List.of(0L, 1L, 2L, 3L, 255L, (1L << 31) - 1, 1L << 31, (1L << 32) - 1,
			1_000_000_000_000L, (1L << 40) - 1, (1L << 48) - 1, -1L);

	private static final List<String> JUNK = List.of("", "\n", "no record", "{\"v\":2}\n[]", "2 of a later version",
			"\u0002x", "\u0008", "\u0001", "\u0001\u0000\u0000\u0000\u0000", "ghost 1 2 {}", "ghost 1 2 null");

	private static final List<String> MEMBERS = List.of("", " ", "ghost", "p:", "p:x", "p:x y z", "k:", "k:ghost",
			"z:later", "w:ghost", "i:ghost", "v:", "default 1 ghost", "default x ghost", " 1 ", "a b c d", "\u2028",
			"ghost default", "ghost ghost");

	private final QueueFixture fixture;

	private final StringRedisTemplate redis;

	private final Random random;

	private final Set<String> spared;

	/**
	 * Descriptions of the damage, for the message of a test that fails.
	 */
	private final List<String> done = new ArrayList<>();

	/**
	 * Creates a maker.
	 * @param fixture the queue
	 * @param seed the seed of the damage
	 * @param spared the ids of jobs whose records and members stay
	 */
	DamageMaker(QueueFixture fixture, long seed, Set<String> spared) {
		this.fixture = fixture;
		this.redis = fixture.redis;
		this.random = new Random(seed);
		this.spared = spared;
	}

	@Override
	public String toString() {
		return this.done.toString();
	}

	/**
	 * Change a value: that of a record, of counters, of a ticket, of a lock, a fence or a
	 * holder.
	 */
	void damageValue() {
		List<String> keys = keys();
		String key = (this.random.nextBoolean() && keys.contains(jobs())) ? jobs() : any(keys);
		if (this.redis.type(key) == DataType.STRING) {
			byte[] value = bytes(changedText(String.valueOf(this.redis.opsForValue().get(key))));
			this.redis
				.execute((RedisCallback<Object>) (connection) -> connection.stringCommands().set(bytes(key), value));
			log("SET", key, hex(value));
		}
		else if (this.redis.type(key) == DataType.HASH) {
			Set<String> fields = new TreeSet<>(this.redis.<String, String>opsForHash().keys(key));
			fields.removeAll(this.spared);
			if (!fields.isEmpty()) {
				String hash = key.substring(this.fixture.name("").length());
				String field = any(List.copyOf(fields));
				byte[] value = changed(hash, field, this.fixture.field(hash, field));
				this.fixture.field(hash, field, value);
				log("HSET", key, field, hex(value));
			}
		}
		else {
			addMember(key);
		}
	}

	/**
	 * Returns the names of the fields that records have.
	 */
	Set<String> fields() {
		Set<String> names = new TreeSet<>(Set.of("version"));
		ids().forEach((id) -> names.addAll(RecordBytes.of(this.fixture.record(id)).names()));
		return names;
	}

	private Set<String> ids() {
		return new TreeSet<>(this.redis.<String, String>opsForHash().keys(jobs()));
	}

	/**
	 * Change a field in all records that have it, to the same value.
	 */
	void damageField(String field) {
		String json = (this.random.nextInt(6) == 0) ? null : any(VALUES);
		long number = any(NUMBERS);
		String text = any(TEXTS);
		for (String id : ids()) {
			RecordBytes record = RecordBytes.of(this.fixture.record(id));
			if (!this.spared.contains(id) && (field.equals("version") || record.names().contains(field))) {
				change(record, field, json, number, text);
				this.fixture.record(id, record.bytes());
			}
		}
		log("every", field, String.valueOf(json), number, text);
	}

	private static void change(RecordBytes record, String field, String json, long number, String text) {
		if (field.equals("version")) {
			record.version((int) number);
		}
		else if (record.isRare(field)) {
			record.withJson(field, json);
		}
		else if (record.isNumber(field)) {
			record.with(field, number);
		}
		else {
			record.with(field, text);
		}
	}

	/**
	 * Delete a field, a member or a key, or add a member.
	 */
	void deleteOrAdd() {
		String key = any(keys());
		if (this.random.nextInt(8) == 0) {
			this.redis.delete(key);
			log("DEL", key);
		}
		else if (this.redis.type(key) == DataType.HASH) {
			String field = any(List.copyOf(new TreeSet<>(this.redis.<String, String>opsForHash().keys(key))));
			this.redis.opsForHash().delete(key, field);
			log("HDEL", key, field);
		}
		else if (this.redis.type(key) == DataType.ZSET && this.random.nextInt(3) > 0) {
			String member = any(members(key));
			this.redis.opsForZSet().remove(key, member);
			log("ZREM", key, member);
		}
		else if (this.redis.type(key) == DataType.ZSET) {
			addMember(key);
		}
	}

	private void addMember(String key) {
		List<String> ids = new ArrayList<>(new TreeSet<>(this.redis.<String, String>opsForHash().keys(jobs())));
		ids.removeAll(this.spared);
		ids.addAll(ids.stream().map((id) -> id + (this.random.nextBoolean() ? " default" : " other")).toList());
		List<String> own = new ArrayList<>(members(key));
		own.removeIf((member) -> this.spared.stream().anyMatch(member::contains));
		String member = switch (this.random.nextInt(3)) {
			case 0 -> any(MEMBERS);
			case 1 -> ids.isEmpty() ? any(MEMBERS) : any(ids);
			default -> own.isEmpty() ? any(MEMBERS) : any(own);
		};
		double score = any(List.of(0d, -1d, 0.5, 1e300, 1e12, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
		this.redis.opsForZSet().add(key, member, score);
		log("ZADD", key, score, member);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private byte[] changed(String hash, String field, byte[] value) {
		int dice = this.random.nextInt(12);
		if (dice < 5 && hash.equals("jobs")) {
			return withChangedField(value);
		}
		if (dice < 5 && field.startsWith("q:")) {
			return withChangedNumber(value);
		}
		return switch (dice) {
			case 6 -> Arrays.copyOf(value, this.random.nextInt(value.length + 1));
			case 7 -> bytes(any(JUNK));
			case 8 -> randomBytes(value.length);
			case 9 -> ByteBuffer.allocate(value.length + 3).put(randomBytes(3)).put(value).array();
			case 10 -> ByteBuffer.allocate(value.length + 3).put(value).put(randomBytes(3)).array();
			default -> flipped(value);
		};
	}

	private byte[] withChangedField(byte[] value) {
		try {
			RecordBytes record = RecordBytes.of(value);
			List<String> names = new ArrayList<>(record.names());
			names.add("version");
			change(record, any(names), any(VALUES), any(NUMBERS), any(TEXTS));
			return record.bytes();
		}
		catch (BufferUnderflowException | JacksonException ex) {
			return flipped(value);
		}
	}

	private byte[] withChangedNumber(byte[] value) {
		try {
			return CounterBytes.of(value).with(any(CounterBytes.NAMES), any(NUMBERS)).bytes();
		}
		catch (BufferUnderflowException | IndexOutOfBoundsException ex) {
			return flipped(value);
		}
	}

	private String changedText(String value) {
		return switch (this.random.nextInt(4)) {
			case 0 -> value.substring(0, this.random.nextInt(value.length() + 1));
			case 1 -> value + any(VALUES);
			case 2 -> any(TEXTS);
			default -> any(JUNK);
		};
	}

	private byte[] randomBytes(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private static String hex(byte[] value) {
		return HexFormat.of().formatHex(value);
	}

	private byte[] flipped(byte[] bytes) {
		for (int i = 1 + this.random.nextInt(4); i > 0 && bytes.length > 0; i--) {
			bytes[this.random.nextInt(bytes.length)] = (byte) this.random.nextInt(256);
		}
		return bytes;
	}

	private List<String> members(String key) {
		return this.redis.opsForZSet().rangeWithScores(key, 0, -1).stream().map(TypedTuple::getValue).sorted().toList();
	}

	private List<String> keys() {
		Set<String> keys = new TreeSet<>(this.redis.keys(this.fixture.name("*")));
		keys.removeIf((key) -> key.startsWith(this.fixture.name("test-")));
		return List.copyOf(keys);
	}

	private String jobs() {
		return this.fixture.name("jobs");
	}

	private <T> T any(List<T> choice) {
		return choice.get(this.random.nextInt(choice.size()));
	}

	private void log(Object... parts) {
		this.done.add(List.of(parts).toString());
	}

}
