package io.locket.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.locket.queue.redis.turn.FailedRequests;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.spi.ReservationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Turns of worker threads: {@code turn.lua} serves them, {@code handover.lua} if keys are
 * contended, or else the general scripts. Thread-safe.
 */
final class Turns {

	private final List<TurnRunner> runners;

	private final FailedRequests failedRequests = new FailedRequests();

	private final Consumer<ReservationRequest> returns;

	/**
	 * Creates turns.
	 * @param plain the script {@code turn.lua}
	 * @param handover the script {@code handover.lua}
	 * @param format the format of their arguments
	 * @param timeout the maximum time of a call
	 * @param returns returns the jobs of a reservation whose reply is lost
	 */
	Turns(FastPathScript plain, FastPathScript handover, TurnFormat format, Duration timeout,
			Consumer<ReservationRequest> returns) {
		this.runners = List.of(new TurnRunner(plain, format, TurnReply::read, '1', timeout, this.failedRequests),
				new TurnRunner(handover, format, TurnReply::readWithEvents, '2', timeout, this.failedRequests));
		this.returns = returns;
	}

	/**
	 * Serves a turn, by one of the fast paths or by the general script.
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
			this.failedRequests.succeeded(next);
			return result;
		}
		catch (RuntimeException | Error ex) {
			this.failedRequests.failed(next);
			throw ex;
		}
	}

	/**
	 * Returns whether a request was sent before, and its reply is unknown. Only the
	 * general scripts serve such a request, because they record it in any case.
	 * @param next the request, or {@code null} for none
	 */
	boolean isRepeated(@Nullable ReservationRequest next) {
		return next != null && this.failedRequests.hasFailed(next);
	}

	/**
	 * Runs the fast paths for a turn, until one serves it.
	 * @param what the operation as a verb phrase, for error messages
	 * @param turn the turn
	 * @return the reply; if none serves it, one that {@linkplain TurnReply#isNothing() is
	 * nothing}
	 */
	TurnReply run(String what, PlainTurn turn) {
		if (isRepeated(turn.next())) {
			return TurnReply.NOTHING;
		}
		for (TurnRunner runner : this.runners) {
			TurnReply reply = runner.skipsNext() ? TurnReply.NOTHING : run(runner, what, turn);
			if (reply == null || !reply.isNothing()) {
				return (reply != null) ? reply : TurnReply.NOTHING;
			}
		}
		return TurnReply.NOTHING;
	}

	/**
	 * Runs a fast path for a turn.
	 * @return the reply, or {@code null} if there is none to its request
	 */
	private @Nullable TurnReply run(TurnRunner runner, String what, PlainTurn turn) {
		TurnReply reply = runner.run(what, turn);
		if (turn.next() != null) {
			returnLost(turn.next());
		}
		return (reply != null || isRepeated(turn.next())) ? reply : runner.runAlone(what, turn);
	}

	private void returnLost(ReservationRequest next) {
		ReservationRequest lost = this.failedRequests.lostBy(next.poller());
		if (lost != null) {
			this.returns.accept(lost);
			this.failedRequests.found(lost);
		}
	}

}
