package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.TurnCalls;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.redis.turn.TurnScript;
import io.locket.queue.redis.turn.UnansweredRequests;
import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Runner of {@code turn.lua} for the turns of worker threads. Thread-safe.
 */
final class Turns implements TurnScript {

	private final FastPathScript script;

	private final TurnFormat format;

	private final UnansweredRequests unanswered = new UnansweredRequests();

	private final TurnCalls calls;

	private final Consumer<ReservationRequest> returns;

	/**
	 * Creates a runner.
	 * @param script the script
	 * @param format the format of its arguments
	 * @param timeout the maximum time of a call
	 * @param returns returns the jobs of a reservation whose reply is lost
	 */
	Turns(FastPathScript script, TurnFormat format, Duration timeout, Consumer<ReservationRequest> returns) {
		this.script = script;
		this.format = format;
		this.calls = new TurnCalls(this, this.unanswered, timeout, System::nanoTime);
		this.returns = returns;
	}

	/**
	 * Serves a turn, by {@code turn.lua} or by the general script.
	 * @param <T> the type of the result
	 * @param next the request of the turn, or {@code null} for none
	 * @param service serves the turn
	 * @return the result
	 */
	<T> T serve(@Nullable ReservationRequest next, Supplier<T> service) {
		if (next == null) {
			return service.get();
		}
		try {
			returnLost(next);
			T result = service.get();
			this.unanswered.answered(next);
			return result;
		}
		catch (RuntimeException | Error ex) {
			this.unanswered.failed(next);
			throw ex;
		}
	}

	/**
	 * Runs the script for a turn, alone or together with others.
	 * @param what the operation as a verb phrase, for error messages
	 * @param turn the turn
	 * @return the reply, or {@code null} if nothing was done
	 */
	@Nullable TurnReply run(String what, PlainTurn turn) {
		if (this.script.skipsNext()) {
			return null;
		}
		TurnReply reply = this.script.ask(what, () -> this.calls.serve(turn));
		if (turn.next() != null) {
			returnLost(turn.next());
		}
		if (reply == null) {
			reply = runAlone(what, turn);
		}
		return (reply != TurnReply.NOTHING) ? reply : null;
	}

	private TurnReply runAlone(String what, PlainTurn turn) {
		List<PlainTurn> alone = List.of(turn);
		BinaryReply reply = this.script.run(what, this.format.arguments(alone, turn.next()));
		return TurnReply.read(reply, alone).get(0);
	}

	private void returnLost(ReservationRequest next) {
		ReservationRequest lost = this.unanswered.lostBy(next.poller());
		if (lost != null) {
			this.returns.accept(lost);
			this.unanswered.found(lost);
		}
	}

	@Override
	public @Nullable CompletionStage<List<Object>> send(List<PlainTurn> turns,
			@Nullable ReservationRequest reservation) {
		return this.script.send(this.format.arguments(turns, reservation));
	}

	@Override
	public List<TurnReply> read(List<Object> reply, List<PlainTurn> turns) {
		return TurnReply.read(this.script.answered(new BinaryReply(reply)), turns);
	}

}
