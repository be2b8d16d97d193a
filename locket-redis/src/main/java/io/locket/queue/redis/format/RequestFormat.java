package io.locket.queue.redis.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;

import org.springframework.util.Assert;

/**
 * Encoder of a request for {@code turn.lua}, which describes it. One argument costs Redis
 * less than one for each value.
 */
public final class RequestFormat {

	private RequestFormat() {
	}

	/**
	 * Encodes a request.
	 * @param request the request
	 * @return the argument
	 */
	public static byte[] encode(ReservationRequest request) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
		text(bytes, request.id());
		text(bytes, request.instance());
		text(bytes, request.thread());
		text(bytes, "");
		text(bytes, "w:" + request.poller());
		number(bytes, Integer.BYTES, request.slots());
		number(bytes, Integer.BYTES, request.queues().size());
		for (QueueLimit queue : request.queues()) {
			text(bytes, queue.queue());
			number(bytes, Integer.BYTES, Math.max(queue.maxRunning(), 0));
		}
		number(bytes, Integer.BYTES, request.leavesOut().size());
		request.leavesOut().forEach((job) -> text(bytes, job));
		return bytes.toByteArray();
	}

	private static void text(ByteArrayOutputStream bytes, String text) {
		byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
		Assert.isTrue(encoded.length < 1 << Short.SIZE, "A text of a request must have less than 65536 bytes");
		number(bytes, Short.BYTES, encoded.length);
		bytes.writeBytes(encoded);
	}

	private static void number(ByteArrayOutputStream bytes, int size, int number) {
		for (int i = size - 1; i >= 0; i--) {
			bytes.write(number >> (Byte.SIZE * i));
		}
	}

}
