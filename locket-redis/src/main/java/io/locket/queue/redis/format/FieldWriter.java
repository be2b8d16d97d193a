package io.locket.queue.redis.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import org.springframework.util.Assert;

/**
 * Sequential writer of fields: unsigned big-endian numbers, and texts that follow their
 * length. Not thread-safe.
 */
public final class FieldWriter {

	private final ByteArrayOutputStream bytes;

	/**
	 * Creates a writer.
	 * @param size the expected number of bytes
	 */
	public FieldWriter(int size) {
		this.bytes = new ByteArrayOutputStream(size);
	}

	/**
	 * Writes a number.
	 * @param size its size in bytes, at most 8
	 * @param number the number
	 */
	public void number(int size, long number) {
		for (int i = size - 1; i >= 0; i--) {
			this.bytes.write((int) (number >> (Byte.SIZE * i)));
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
		this.bytes.writeBytes(text);
	}

	/**
	 * Writes the fields of another writer.
	 * @param other the other writer
	 */
	public void bytes(FieldWriter other) {
		this.bytes.writeBytes(other.bytes());
	}

	/**
	 * Returns the number of bytes that are written.
	 * @return the number of bytes that are written
	 */
	public int size() {
		return this.bytes.size();
	}

	/**
	 * Returns the bytes that are written.
	 * @return the bytes
	 */
	public byte[] bytes() {
		return this.bytes.toByteArray();
	}

}
