package io.locket.queue.redis.turn;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Script that serves several turns with one call.
 */
public interface TurnScript {

	/**
	 * Sends the script, without waiting for the reply.
	 * @param turns the turns, which fit each other
	 * @param reservation the reservation of all turns, or {@code null} for none
	 * @return the reply, or {@code null} if the script cannot be sent so now
	 */
	@Nullable CompletionStage<List<Object>> send(List<PlainTurn> turns, @Nullable ReservationRequest reservation);

	/**
	 * Reads a reply.
	 * @param reply the reply
	 * @param turns the turns
	 * @return the reply to each turn, in their order
	 */
	List<TurnReply> read(List<Object> reply, List<PlainTurn> turns);

}
