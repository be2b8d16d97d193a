package io.locket.queue.redis.format;

import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;

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
		FieldWriter texts = new FieldWriter(128);
		texts.text(2, request.id());
		texts.text(2, request.instance());
		int reservationSize = texts.size();
		texts.text(2, request.thread());
		texts.text(2, "");
		FieldWriter bytes = new FieldWriter(256);
		bytes.number(2, texts.size());
		bytes.number(2, reservationSize);
		bytes.number(4, request.slots());
		bytes.number(4, request.queues().size());
		bytes.bytes(texts);
		bytes.text(2, "w:" + request.poller());
		for (QueueLimit queue : request.queues()) {
			bytes.text(2, queue.queue());
			bytes.number(4, Math.max(queue.maxRunning(), 0));
		}
		bytes.number(4, request.leavesOut().size());
		request.leavesOut().forEach((job) -> bytes.text(2, job));
		return bytes.bytes();
	}

}
