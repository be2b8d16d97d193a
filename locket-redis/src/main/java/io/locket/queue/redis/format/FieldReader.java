package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Sequential reader of fields: unsigned big-endian numbers, and texts that follow their
 * length.
 */
final class FieldReader {

	private final byte[] bytes;

	private int position;

	FieldReader(byte[] bytes) {
		this(bytes, 0);
	}

	private FieldReader(byte[] bytes, int position) {
		this.bytes = bytes;
		this.position = position;
	}

	/**
	 * Reads an unsigned number.
	 * @param size its size in bytes, at most 7
	 */
	long number(int size) {
		int end = behindNext(size);
		long number = 0;
		for (int i = this.position; i < end; i++) {
			number = (number << 8) | (this.bytes[i] & 0xFF);
		}
		this.position = end;
		return number;
	}

	/**
	 * Reads a signed number.
	 * @param size its size in bytes, at most 7
	 */
	long signed(int size) {
		int unused = Long.SIZE - Byte.SIZE * size;
		return (number(size) << unused) >> unused;
	}

	/**
	 * Reads a time. Returns {@code null} for 0.
	 */
	@Nullable Instant instant() {
		long millis = number(6);
		return (millis != 0) ? Instant.ofEpochMilli(millis) : null;
	}

	/**
	 * Reads a text that follows its length.
	 * @param size the size of the length in bytes
	 */
	String text(int size) {
		return fixedText(number(size));
	}

	@Nullable String textOrNull(int size) {
		String text = text(size);
		return text.isEmpty() ? null : text;
	}

	/**
	 * Reads a text of the given length in bytes.
	 */
	String fixedText(long length) {
		int end = behindNext(length);
		String text = new String(this.bytes, this.position, end - this.position, StandardCharsets.UTF_8);
		this.position = end;
		return text;
	}

	/**
	 * Returns the number of bytes before the next field.
	 */
	int position() {
		return this.position;
	}

	boolean hasMore() {
		return this.position < this.bytes.length;
	}

	String rest() {
		return fixedText(this.bytes.length - this.position);
	}

	void skip(int size) {
		this.position = behindNext(size);
	}

	/**
	 * Returns a reader of the fields after the given number of bytes. The position of
	 * this reader does not change.
	 */
	FieldReader behind(int size) {
		return new FieldReader(this.bytes, behindNext(size));
	}

	/**
	 * Returns the position after the next bytes, all of which exist.
	 */
	private int behindNext(long size) {
		if (size < 0 || size > this.bytes.length - this.position) {
			throw new BufferUnderflowException();
		}
		return this.position + (int) size;
	}

}
