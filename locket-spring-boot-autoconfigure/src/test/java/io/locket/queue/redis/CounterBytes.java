package io.locket.queue.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of a queue, number by number, as {@code counters.lua} describes them. They
 * are written apart from the code under test.
 */
final class CounterBytes {

	static final List<String> NAMES = List.of("seq", "accepted", "ready", "running", "succeeded", "removed_at",
			"paused", "unlisted", "scheduled", "parked", "retry", "discarded", "superseded", "dead", "cancelled",
			"removed", "letters", "moved_in", "moved_out", "unreadable", "lost", "rm", "removal", "removing", "swept");

	private static final int SIZE = 7;

	private final List<Long> numbers = new ArrayList<>();

	private String json = "";

	private CounterBytes() {
	}

	static CounterBytes none() {
		CounterBytes counters = new CounterBytes();
		NAMES.forEach((name) -> counters.numbers.add(0L));
		return counters;
	}

	static CounterBytes of(byte[] bytes) {
		CounterBytes counters = new CounterBytes();
		ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
		for (int count = buffer.get(); count > 0; count--) {
			long number = buffer.get();
			for (int i = 1; i < SIZE; i++) {
				number = (number << 8) | (buffer.get() & 0xFF);
			}
			counters.numbers.add(number);
		}
		byte[] rest = new byte[buffer.remaining()];
		buffer.get(rest);
		counters.json = new String(rest, StandardCharsets.UTF_8);
		return counters;
	}

	long number(String name) {
		return this.numbers.get(NAMES.indexOf(name));
	}

	/**
	 * Returns the numbers that this version does not know.
	 */
	List<Long> more() {
		return this.numbers.subList(NAMES.size(), this.numbers.size());
	}

	String json() {
		return this.json;
	}

	CounterBytes with(String name, long number) {
		this.numbers.set(NAMES.indexOf(name), number);
		return this;
	}

	CounterBytes withMore(long... more) {
		for (long number : more) {
			this.numbers.add(number);
		}
		return this;
	}

	CounterBytes withJson(String json) {
		this.json = json;
		return this;
	}

	byte[] bytes() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(1);
		out.write(this.numbers.size());
		for (long number : this.numbers) {
			out.write(ByteBuffer.allocate(Long.BYTES).putLong(number).array(), 1, SIZE);
		}
		out.writeBytes(this.json.getBytes(StandardCharsets.UTF_8));
		return out.toByteArray();
	}

}
