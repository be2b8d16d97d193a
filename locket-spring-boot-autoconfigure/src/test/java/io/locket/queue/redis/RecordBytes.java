package io.locket.queue.redis;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.json.JsonMapper;

/**
 * The record of a job, field by field, as {@code layout.lua} describes it. It is written
 * apart from the code under test.
 */
final class RecordBytes {

	private static final List<Field> STATE = List.of(new Field("s", 1, true), new Field("ea", 6));

	private static final List<Field> HEAD = List.of(new Field("parts", 1), new Field("g", 1));

	private static final List<Field> RUN = List.of(new Field("cx", 1), new Field("a", 4), new Field("b", 4),
			new Field("st", 6), new Field("t", 2, true), new Field("i", 2, true), new Field("w", 2, true),
			new Field("o", 2, true), new Field("kl", 1), new Field("f", 7));

	private static final List<Field> PLACE = List.of(new Field("n", 6), new Field("e", 6), new Field("d", 6),
			new Field("u", 6));

	private static final List<Field> DEFINITION = List.of(new Field("x", 5), new Field("k", 1, true),
			new Field("q", 1, true), new Field("j", 2, true), new Field("c", 1, true), new Field("r", 4));

	private static final List<Field> OPTIONS = List.of(new Field("h", 5), new Field("z", 5), new Field("uf", 6),
			new Field("tx", 4, true), new Field("tr", 4, true));

	/**
	 * Head of a ready job that has not run yet, which its record leaves out.
	 */
	private static final byte[] READY_HEAD = { 5, 'r', 'e', 'a', 'd', 'y', 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0 };

	/**
	 * Added to the version in the first byte of a record without a head.
	 */
	static final int WITHOUT_HEAD = 128;

	/**
	 * Size of the options while their texts are empty.
	 */
	static final int OPTIONS_SIZE = 24;

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private final Map<String, byte[]> values = new LinkedHashMap<>();

	private final Map<String, String> rare = new LinkedHashMap<>();

	private int version;

	private int jsonAt;

	private int jsonSize;

	private byte[] moreHead;

	private byte[] moreDefinition;

	private byte[] body;

	private RecordBytes(byte[] bytes) {
		boolean hasHead = bytes.length == 0 || (bytes[0] & 0xFF) <= WITHOUT_HEAD;
		ByteBuffer head = ByteBuffer.wrap(hasHead ? bytes : withHead(bytes));
		this.version = head.get();
		STATE.forEach((field) -> this.values.put(field.name(), field.read(head)));
		int placeAt = head.getInt() + head.position();
		HEAD.forEach((field) -> this.values.put(field.name(), field.read(head)));
		long parts = number("parts");
		if (parts % 2 == 1) {
			RUN.forEach((field) -> this.values.put(field.name(), field.read(head)));
		}
		if (parts >= 2) {
			this.jsonSize = head.getInt();
			this.jsonAt = head.position();
			String json = new String(take(head, this.jsonSize), StandardCharsets.UTF_8);
			mapper.readTree(json)
				.properties()
				.forEach((entry) -> this.rare.put(entry.getKey(), entry.getValue().toString()));
		}
		this.moreHead = take(head, placeAt - head.position());
		PLACE.forEach((field) -> this.values.put(field.name(), field.read(head)));
		int bodyAt = head.getInt() + head.position();
		this.values.put("l", take(head, 2));
		DEFINITION.forEach((field) -> this.values.put(field.name(), field.read(head)));
		ByteBuffer options = (head.position() < bodyAt) ? head : ByteBuffer.allocate(OPTIONS_SIZE);
		OPTIONS.forEach((field) -> this.values.put(field.name(), field.read(options)));
		this.moreDefinition = take(head, bodyAt - head.position());
		this.body = take(head, head.remaining());
	}

	static RecordBytes of(byte[] bytes) {
		return new RecordBytes(bytes);
	}

	private static byte[] withHead(byte[] bytes) {
		return ByteBuffer.allocate(bytes.length + READY_HEAD.length)
			.put((byte) (bytes[0] - WITHOUT_HEAD))
			.put(READY_HEAD)
			.put(bytes, 1, bytes.length - 1)
			.array();
	}

	private static byte[] take(ByteBuffer bytes, int length) {
		if (length < 0 || length > bytes.remaining()) {
			throw new BufferUnderflowException();
		}
		byte[] taken = new byte[length];
		bytes.get(taken);
		return taken;
	}

	/**
	 * Returns the names of the fields, but for those that say what parts there are.
	 */
	Set<String> names() {
		Set<String> names = new TreeSet<>(this.values.keySet());
		names.remove("parts");
		names.addAll(this.rare.keySet());
		return names;
	}

	boolean isNumber(String name) {
		return fields().anyMatch((field) -> field.name().equals(name) && !field.text());
	}

	boolean isRare(String name) {
		return this.rare.containsKey(name);
	}

	private static Stream<Field> fields() {
		return Stream.of(STATE, HEAD, RUN, PLACE, DEFINITION, OPTIONS).flatMap(List::stream);
	}

	/**
	 * Returns the size of a field that is a number, in bytes.
	 */
	int size(String name) {
		return this.values.get(name).length;
	}

	long number(String name) {
		long number = 0;
		for (byte one : this.values.get(name)) {
			number = (number << 8) | (one & 0xFF);
		}
		return number;
	}

	String text(String name) {
		return new String(this.values.get(name), StandardCharsets.UTF_8);
	}

	/**
	 * Returns a field of the JSON, as it is there, or {@code null}.
	 */
	String json(String name) {
		return this.rare.get(name);
	}

	/**
	 * Returns the fields of the JSON, as they are there.
	 */
	Map<String, String> json() {
		return Map.copyOf(this.rare);
	}

	/**
	 * Returns where the JSON began in the bytes that were read, or 0 if there was none.
	 */
	int jsonAt() {
		return this.jsonAt;
	}

	/**
	 * Returns the size of the JSON in the bytes that were read, in bytes.
	 */
	int jsonSize() {
		return this.jsonSize;
	}

	byte[] moreHead() {
		return this.moreHead;
	}

	byte[] moreDefinition() {
		return this.moreDefinition;
	}

	String body() {
		return new String(this.body, StandardCharsets.UTF_8);
	}

	RecordBytes version(int version) {
		this.version = version;
		return this;
	}

	RecordBytes with(String name, long number) {
		byte[] value = this.values.get(name);
		for (int i = 0; i < value.length; i++) {
			value[i] = (byte) (number >> (8 * (value.length - 1 - i)));
		}
		return this;
	}

	RecordBytes with(String name, String text) {
		return with(name, text.getBytes(StandardCharsets.UTF_8));
	}

	RecordBytes with(String name, byte[] text) {
		this.values.put(name, text);
		return this;
	}

	/**
	 * Set a field of the JSON, or take it out.
	 * @param value the value, which may be no JSON, or {@code null}
	 */
	RecordBytes withJson(String name, String value) {
		if (value != null) {
			this.rare.put(name, value);
		}
		else {
			this.rare.remove(name);
		}
		with("parts", number("parts") % 2 + (this.rare.isEmpty() ? 0 : 2));
		return this;
	}

	RecordBytes withMoreHead(byte... more) {
		this.moreHead = more;
		return this;
	}

	RecordBytes withMoreDefinition(byte... more) {
		this.moreDefinition = more;
		return this;
	}

	RecordBytes withBody(String body) {
		this.body = body.getBytes(StandardCharsets.UTF_8);
		return this;
	}

	byte[] bytes() {
		ByteArrayOutputStream state = new ByteArrayOutputStream();
		STATE.forEach((field) -> field.write(state, this.values.get(field.name())));
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		HEAD.forEach((field) -> field.write(head, this.values.get(field.name())));
		if (number("parts") % 2 == 1) {
			RUN.forEach((field) -> field.write(head, this.values.get(field.name())));
		}
		if (!this.rare.isEmpty()) {
			new Field("rare", 4, true).write(head, rareJson().getBytes(StandardCharsets.UTF_8));
		}
		head.writeBytes(this.moreHead);
		ByteArrayOutputStream place = new ByteArrayOutputStream();
		PLACE.forEach((field) -> field.write(place, this.values.get(field.name())));
		ByteArrayOutputStream definition = new ByteArrayOutputStream();
		definition.writeBytes(this.values.get("l"));
		DEFINITION.forEach((field) -> field.write(definition, this.values.get(field.name())));
		ByteArrayOutputStream options = new ByteArrayOutputStream();
		OPTIONS.forEach((field) -> field.write(options, this.values.get(field.name())));
		if (this.moreDefinition.length > 0 || !Arrays.equals(options.toByteArray(), new byte[OPTIONS_SIZE])) {
			definition.writeBytes(options.toByteArray());
		}
		definition.writeBytes(this.moreDefinition);
		byte[] whole = ByteBuffer.allocate(4 + state.size() + head.size())
			.put(state.toByteArray())
			.putInt(head.size())
			.put(head.toByteArray())
			.array();
		boolean hasHead = !Arrays.equals(whole, READY_HEAD);
		return ByteBuffer
			.allocate(5 + (hasHead ? whole.length : 0) + place.size() + definition.size() + this.body.length)
			.put((byte) (this.version + (hasHead ? 0 : WITHOUT_HEAD)))
			.put(hasHead ? whole : new byte[0])
			.put(place.toByteArray())
			.putInt(definition.size())
			.put(definition.toByteArray())
			.put(this.body)
			.array();
	}

	private String rareJson() {
		List<String> parts = new ArrayList<>();
		this.rare.forEach((name, value) -> parts.add("\"" + name + "\":" + value));
		return parts.stream().collect(Collectors.joining(",", "{", "}"));
	}

	/**
	 * A number, or a text behind its length.
	 *
	 * @param name the name
	 * @param size the size of the number or of the length, in bytes
	 * @param text whether it is a text
	 */
	private record Field(String name, int size, boolean text) {

		Field(String name, int size) {
			this(name, size, false);
		}

		byte[] read(ByteBuffer bytes) {
			if (!this.text) {
				return take(bytes, this.size);
			}
			int length = 0;
			for (int i = 0; i < this.size; i++) {
				length = (length << 8) | (bytes.get() & 0xFF);
			}
			return take(bytes, length);
		}

		void write(ByteArrayOutputStream out, byte[] value) {
			for (int i = this.size - 1; this.text && i >= 0; i--) {
				out.write(value.length >> (8 * i));
			}
			out.writeBytes(value);
		}

	}

}
