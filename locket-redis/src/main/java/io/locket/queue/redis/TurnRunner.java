package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.turn.FailedRequests;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.TurnCalls;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.redis.turn.TurnScript;
import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Runner of a script that serves turns, {@code turn.lua} or {@code handover.lua}.
 * Thread-safe.
 */
final class TurnRunner implements TurnScript {

	private final FastPathScript script;

	private final TurnFormat format;

	private final BiFunction<BinaryReply, List<PlainTurn>, List<TurnReply>> reader;

	private final TurnCalls calls;

	/**
	 * Creates a runner.
	 * @param script the script
	 * @param format the format of its arguments
	 * @param reader reads its reply
	 * @param lastDigit the end of the id of a reservation for several turns
	 * @param timeout the maximum time of a call
	 * @param failedRequests receives the reservations that are lost
	 */
	TurnRunner(FastPathScript script, TurnFormat format,
			BiFunction<BinaryReply, List<PlainTurn>, List<TurnReply>> reader, char lastDigit, Duration timeout,
			FailedRequests failedRequests) {
		this.script = script;
		this.format = format;
		this.reader = reader;
		this.calls = new TurnCalls(this, lastDigit, failedRequests, timeout, System::nanoTime);
	}

	/**
	 * Returns whether the next turn skips the script, and counts this turn.
	 */
	boolean skipsNext() {
		return this.script.skipsNext();
	}

	/**
	 * Runs the script for a turn, and possibly for those of other threads.
	 * @param what the operation as a verb phrase, for error messages
	 * @param turn the turn
	 * @return the reply, or {@code null} if the turn has to be repeated alone
	 */
	@Nullable TurnReply run(String what, PlainTurn turn) {
		return this.script.call(what, () -> this.calls.serve(turn));
	}

	/**
	 * Runs the script for a turn alone.
	 * @param what the operation as a verb phrase, for error messages
	 * @param turn the turn
	 * @return the reply
	 */
	TurnReply runAlone(String what, PlainTurn turn) {
		List<PlainTurn> alone = List.of(turn);
		return this.reader.apply(this.script.run(what, this.format.arguments(alone, turn.next())), alone).get(0);
	}

	@Override
	public @Nullable CompletionStage<List<Object>> send(List<PlainTurn> turns,
			@Nullable ReservationRequest reservation) {
		return this.script.send(this.format.arguments(turns, reservation));
	}

	@Override
	public List<TurnReply> read(List<Object> reply, List<PlainTurn> turns) {
		return this.reader.apply(this.script.onReply(new BinaryReply(reply)), turns);
	}

}
