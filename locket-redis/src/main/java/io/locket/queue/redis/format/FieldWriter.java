package io.locket.queue.redis.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.springframework.util.Assert;

/**
 * Sequential writer of fields: unsigned big-endian numbers, and texts that follow their
 * length. Not thread-safe.
 */
public final class FieldWriter {

	private byte[] bytes;

	private int size;

	/**
	 * Creates a writer.
	 * @param size the expected number of bytes
	 */
	public FieldWriter(int size) {
		this.bytes = new byte[size];
	}

	/**
	 * Writes a number.
	 * @param size its size in bytes, at most 8
	 * @param number the number
	 */
	public void number(int size, long number) {
		grow(size);
		for (int i = size - 1; i >= 0; i--) {
			this.bytes[this.size++] = (byte) (number >> (Byte.SIZE * i));
		}
	}

	/**
	 * Writes a text behind its length.
	 * @param size the size of the length in bytes
	 * @param text the text
	 * @throws IllegalArgumentException if the text is too long
	 */
	public void text(int size, String text) {
		bytes(size, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Writes the bytes of a text behind their number.
	 * @param size the size of the number in bytes
	 * @param text the bytes
	 * @throws IllegalArgumentException if there are too many
	 */
	public void bytes(int size, byte[] text) {
		Assert.isTrue(text.length < 1L << (Byte.SIZE * size),
				() -> "A text must have less than " + (1L << (Byte.SIZE * size)) + " bytes");
		number(size, text.length);
		add(text, text.length);
	}

	/**
	 * Writes the fields of another writer.
	 * @param other the other writer
	 */
	public void bytes(FieldWriter other) {
		add(other.bytes, other.size);
	}

	/**
	 * Returns the number of bytes that are written.
	 * @return the number of bytes that are written
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the bytes that are written.
	 * @return the bytes
	 */
	public byte[] bytes() {
		return Arrays.copyOf(this.bytes, this.size);
	}

	private void add(byte[] text, int length) {
		grow(length);
		System.arraycopy(text, 0, this.bytes, this.size, length);
		this.size += length;
	}

	private void grow(int length) {
		if (this.size + length > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(this.size + length, 2 * this.bytes.length));
		}
	}

}
