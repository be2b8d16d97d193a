package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.TurnCalls;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.redis.turn.TurnScript;
import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Runner of {@code turn.lua} for the turns of worker threads. Thread-safe.
 */
final class Turns implements TurnScript {

	private final FastPathScript script;

	private final TurnFormat format;

	private final TurnCalls calls;

	Turns(FastPathScript script, TurnFormat format, Duration timeout) {
		this.script = script;
		this.format = format;
		this.calls = new TurnCalls(this, timeout, System::nanoTime);
	}

	/**
	 * Serves a turn, alone or together with others.
	 * @param what the operation as a verb phrase, for error messages
	 * @param turn the turn
	 * @return the reply, or {@code null} if nothing was done
	 */
	@Nullable TurnReply run(String what, PlainTurn turn) {
		if (this.script.skipsNext()) {
			return null;
		}
		TurnReply reply = this.calls.serve(turn);
		if (reply == null) {
			List<PlainTurn> alone = List.of(turn);
			reply = TurnReply.read(this.script.run(what, this.format.arguments(alone)), alone).get(0);
		}
		return (reply != TurnReply.NOTHING) ? reply : null;
	}

	/**
	 * Handles the answer to a request, by {@code turn.lua} or by another script.
	 * @param request the request, or {@code null} for none
	 */
	void answered(@Nullable ReservationRequest request) {
		this.calls.answered(request);
	}

	@Override
	public @Nullable CompletionStage<List<Object>> send(List<PlainTurn> turns) {
		return this.script.send(this.format.arguments(turns));
	}

	@Override
	public List<TurnReply> read(List<Object> reply, List<PlainTurn> turns) {
		return TurnReply.read(this.script.answered(new BinaryReply(reply)), turns);
	}

}
