package io.locket.queue.redis.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reply of a script in which some texts are {@code byte[]}.
 */
public final class BinaryReply {

	/**
	 * Reply without parts.
	 */
	public static final BinaryReply EMPTY = new BinaryReply(List.of());

	private final List<?> parts;

	public BinaryReply(List<?> parts) {
		this.parts = parts;
	}

	public int size() {
		return this.parts.size();
	}

	public byte[] bytes(int index) {
		return (byte[]) this.parts.get(index);
	}

	public String text(int index) {
		return this.parts.get(index).getClass().isArray() ? new String(bytes(index), StandardCharsets.UTF_8)
				: this.parts.get(index).toString();
	}

	public long number(int index) {
		return (this.parts.get(index) instanceof Long number) ? number : Long.parseLong(text(index));
	}

	/**
	 * Returns the parts from the given index.
	 * @param index the index of the first part
	 * @return the parts from the given index
	 */
	public BinaryReply from(int index) {
		return part(index, this.parts.size());
	}

	/**
	 * Returns the parts between two indexes.
	 * @param from the index of the first part
	 * @param to the index after the last part
	 * @return the parts between two indexes
	 */
	public BinaryReply part(int from, int to) {
		return new BinaryReply(this.parts.subList(from, to));
	}

	public BinaryReply reply(int index) {
		return new BinaryReply((List<?>) this.parts.get(index));
	}

	/**
	 * Returns the reply with every text as a {@link String}.
	 * @return the reply with every text as a {@link String}
	 */
	public List<Object> texts() {
		List<Object> texts = new ArrayList<>(this.parts.size());
		for (Object part : this.parts) {
			texts.add(texts(part));
		}
		return texts;
	}

	private static Object texts(Object part) {
		if (part instanceof List<?> list) {
			return new BinaryReply(list).texts();
		}
		return (part instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : part;
	}

}
