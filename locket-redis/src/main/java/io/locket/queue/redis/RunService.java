package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.AttemptsFormat;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.RunTokens;
import io.locket.queue.redis.turn.FailureFormat;
import io.locket.queue.redis.turn.PlainRun;
import io.locket.queue.redis.turn.PlainRuns;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.SplitEnds;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * Hand-out of jobs and end of their runs, by the cheapest script that can. Thread-safe.
 */
final class RunService {

	private final QueueCommands commands;

	private final FastPathScript failures;

	private final FailureFormat failureFormat;

	private final Turns turns;

	private final PlainRuns plainRuns = new PlainRuns();

	private final ReservationFormat reservations;

	private final ScriptEventPublisher events;

	/**
	 * Creates a service.
	 * @param commands runs the scripts
	 * @param settings the settings of the scripts
	 * @param singleServer whether one server has all subscribers
	 * @param timeout the maximum time of a call
	 * @param events the publisher of events
	 */
	RunService(QueueCommands commands, QueueSettings settings, boolean singleServer, Duration timeout,
			ScriptEventPublisher events) {
		this.commands = commands;
		this.reservations = new ReservationFormat(this.plainRuns, settings);
		this.failures = new FastPathScript(commands, QueueScript.FAIL);
		this.failureFormat = new FailureFormat(settings.forFailures(singleServer));
		this.turns = new Turns(new FastPathScript(commands, QueueScript.TURN),
				new FastPathScript(commands, QueueScript.HANDOVER),
				new TurnFormat(settings.forTurns(singleServer), commands.keys().registryKey()), timeout,
				this::returnAll);
		this.events = events;
	}

	/**
	 * Hands out jobs.
	 */
	Reservation reserve(ReservationRequest request) {
		return this.turns.serve(request, () -> {
			TurnReply turn = this.turns.run("reserve", new PlainTurn(List.of(), request));
			return started(
					turn.isNothing() ? reserveByScript(request, this.turns.isRepeated(request)) : reserved(turn));
		});
	}

	private Reservation reserved(TurnReply turn) {
		this.events.parkedOrPromoted(turn.events());
		return this.reservations.readPlain(turn);
	}

	private Reservation reserveByScript(ReservationRequest request, boolean repeated) {
		List<Object> args = new ArrayList<>();
		this.reservations.add(request, repeated, args);
		BinaryReply reply = this.commands.runBinary("reserve", QueueScript.RESERVE, args);
		this.events.publish(reply.reply(1).texts());
		return this.reservations.read(reply.reply(0));
	}

	/**
	 * Returns the jobs of a reservation whose reply is lost to their places. If it was
	 * not executed, its request has no slots, so it reserves none now. If its first copy
	 * arrives later, it reserves none either.
	 */
	private void returnAll(ReservationRequest lost) {
		Reservation reservation = started(reserveByScript(lost, true));
		List<RunEnd> ends = reservation.jobs().stream().map(RunEnd::returned).toList();
		if (!ends.isEmpty()) {
			settleByScript("return " + ends.size() + " job(s)", ends, null);
			this.plainRuns.remove(ends);
		}
	}

	private Reservation started(Reservation reservation) {
		reservation.jobs().forEach(this.events::started);
		return reservation;
	}

	private Settlement started(Settlement settlement) {
		if (settlement.next() != null) {
			started(settlement.next());
		}
		return settlement;
	}

	/**
	 * Ends runs, and hands out the next jobs.
	 */
	Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		SplitEnds split = this.plainRuns.split(ends);
		Settlement settlement = this.turns.serve(next, () -> started(settle(ends, split, next)));
		this.plainRuns.remove(ends);
		return settlement;
	}

	/**
	 * Ends failed runs, and those that only {@code settle.lua} can end, by a call of
	 * their own before all others. So a few of them do not make the turn expensive. If
	 * the second call fails and the turn is repeated, the first one returns the known
	 * results.
	 */
	private Settlement settle(List<RunEnd> ends, SplitEnds split, @Nullable ReservationRequest next) {
		List<RunEnd> others = split.others();
		if (others.isEmpty()) {
			return settlePlain(split, next);
		}
		boolean onlyOthers = split.plain().isEmpty();
		Optional<List<EndResult>> failed = fail(others, next);
		if (failed.isEmpty() && (next == null || onlyOthers)) {
			return settleByScript(what(ends), ends, next);
		}
		List<EndResult> results = failed.orElseGet(() -> settleByScript(what(others), others, null).ends());
		if (next == null && onlyOthers) {
			return new Settlement(results, null);
		}
		Settlement plain = settlePlain(split, next);
		return new Settlement(split.merge(ends, plain.ends(), results), plain.next());
	}

	/**
	 * Ends failed runs by {@code fail.lua}.
	 * @return the results, or empty if nothing was done
	 */
	private Optional<List<EndResult>> fail(List<RunEnd> ends, @Nullable ReservationRequest next) {
		if (!this.failureFormat.covers(ends) || this.failures.skipsNext()) {
			return Optional.empty();
		}
		BinaryReply reply = this.failures.run(what(ends), this.failureFormat.arguments(ends, next));
		if (reply.size() == 0) {
			return Optional.empty();
		}
		this.events.publish(reply.reply(4 * ends.size()).texts());
		List<EndResult> results = new ArrayList<>(ends.size());
		for (RunEnd end : ends) {
			JobState state = this.events.failed(end, reply.from(4 * results.size()));
			results.add(new EndResult(end.id(), true, state));
		}
		return Optional.of(results);
	}

	private Settlement settlePlain(SplitEnds split, @Nullable ReservationRequest next) {
		String what = split.plain().isEmpty() ? "reserve" : what(split.plain());
		TurnReply turn = this.turns.run(what, new PlainTurn(split.runs(), next));
		return turn.isNothing() ? settleByScript(what, split.plain(), next) : settled(split.runs(), next, turn);
	}

	private Settlement settled(List<PlainRun> runs, @Nullable ReservationRequest next, TurnReply turn) {
		List<EndResult> results = new ArrayList<>(runs.size());
		for (PlainRun run : runs) {
			this.events.succeeded(run, turn.time());
			results.add(new EndResult(run.id(), true, JobState.SUCCEEDED));
		}
		Reservation reservation = reserved(turn);
		return new Settlement(results, (next != null) ? reservation : null);
	}

	private static String what(List<RunEnd> ends) {
		return "end " + ends.size() + " run(s)";
	}

	private Settlement settleByScript(String what, List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<Object> args = new ArrayList<>(16 + ends.size() * 6);
		this.reservations.add(next, this.turns.isRepeated(next), args);
		for (RunEnd end : ends) {
			args.add(end.id());
			args.add(RunTokens.nonce(end.token()));
			args.add(end.kind().name());
			args.add(Long.toString(end.delay().toMillis()));
			args.add(AttemptsFormat.problem(end));
			args.add((end.progress() != null) ? RecordFormat.progress(end.progress()) : "");
		}
		BinaryReply reply = this.commands.runBinary(what, QueueScript.SETTLE, args);
		this.events.publish(reply.reply(2).texts());
		BinaryReply replies = reply.reply(0);
		List<EndResult> results = IntStream.range(0, ends.size())
			.mapToObj((i) -> end(ends.get(i), replies.reply(i)))
			.toList();
		return new Settlement(results, (next != null) ? this.reservations.read(reply.reply(1)) : null);
	}

	private static EndResult end(RunEnd end, BinaryReply reply) {
		return new EndResult(end.id(), reply.number(0) == 1, RecordFormat.knownState(reply.text(1)));
	}

	/**
	 * Handles that the record of a run was changed by this process.
	 */
	void changed(RunToken run) {
		this.plainRuns.changed(run);
	}

}
