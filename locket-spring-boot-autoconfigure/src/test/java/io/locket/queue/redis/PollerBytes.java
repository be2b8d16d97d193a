package io.locket.queue.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The last reservation of a poller, as {@code store.lua} describes it. It is written
 * apart from the code under test.
 */
final class PollerBytes {

	private PollerBytes() {
	}

	/**
	 * Writes a reservation.
	 * @param at its time in milliseconds
	 * @param request the id of the request
	 * @param instance the process that has asked
	 * @param ids the ids of the jobs that were handed out
	 */
	static byte[] of(long at, String request, String instance, String ids) {
		byte[] first = request.getBytes(StandardCharsets.UTF_8);
		byte[] second = instance.getBytes(StandardCharsets.UTF_8);
		byte[] third = ids.getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.allocate(11 + first.length + second.length + third.length)
			.put((byte) 1)
			.putShort((short) (at >> 32))
			.putInt((int) at)
			.putShort((short) first.length)
			.put(first)
			.putShort((short) second.length)
			.put(second)
			.put(third)
			.array();
	}

}
