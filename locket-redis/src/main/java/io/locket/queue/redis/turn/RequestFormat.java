package io.locket.queue.redis.turn;

import java.util.List;

import io.locket.queue.redis.format.FieldWriter;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.ReservationRequest.QueueLimit;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of the requests of some turns for {@code turn.lua}, which describes the
 * argument. One argument costs Redis less than one for each value.
 */
final class RequestFormat {

	private static final byte[] NONE = {};

	private RequestFormat() {
	}

	/**
	 * Encodes the requests of some turns that fit each other.
	 * @param turns the turns
	 * @param reservation the reservation of all turns, or {@code null} for none
	 * @return the argument, empty if there is no request
	 */
	static byte[] encode(List<PlainTurn> turns, @Nullable ReservationRequest reservation) {
		if (reservation == null) {
			return NONE;
		}
		FieldWriter texts = new FieldWriter(128);
		texts.text(2, reservation.id());
		texts.text(2, reservation.instance());
		FieldWriter bytes = new FieldWriter(256 + 32 * turns.size());
		bytes.number(2, turns.size());
		bytes.number(4, reservation.queues().size());
		bytes.number(2, texts.size());
		bytes.bytes(texts);
		bytes.text(2, "w:" + reservation.poller());
		for (QueueLimit queue : reservation.queues()) {
			bytes.text(2, queue.queue());
			bytes.number(4, Math.max(queue.maxRunning(), 0));
		}
		bytes.number(4, reservation.leavesOut().size());
		reservation.leavesOut().forEach((job) -> bytes.text(2, job));
		turns.forEach((turn) -> add(turn.next(), bytes));
		return bytes.bytes();
	}

	private static void add(@Nullable ReservationRequest request, FieldWriter bytes) {
		if (request != null) {
			FieldWriter texts = new FieldWriter(32);
			texts.text(2, request.thread());
			texts.text(2, "");
			bytes.number(4, request.slots());
			bytes.number(2, texts.size());
			bytes.bytes(texts);
		}
	}

}
