package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.locket.DuplicateStrategy;
import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.format.AttemptsFormat;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.DefinitionFormat;
import io.locket.queue.redis.format.EnqueueAnswers;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.RunTokens;
import io.locket.queue.redis.turn.PlainRun;
import io.locket.queue.redis.turn.PlainRuns;
import io.locket.queue.redis.turn.PlainTurn;
import io.locket.queue.redis.turn.SplitEnds;
import io.locket.queue.redis.turn.TurnFormat;
import io.locket.queue.redis.turn.TurnReply;
import io.locket.queue.spi.EndResult;
import io.locket.queue.spi.JobQueue;
import io.locket.queue.spi.NewJob;
import io.locket.queue.spi.Reservation;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import io.locket.queue.spi.RunProgress;
import io.locket.queue.spi.RunRenewal;
import io.locket.queue.spi.RunToken;
import io.locket.queue.spi.Settlement;
import io.locket.queue.spi.WorkListener;
import io.locket.redis.LeaseConnections;
import io.locket.redis.SingleServer;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link JobQueue} in Redis. Every operation is one script that may be repeated.
 * {@code store.lua} describes the stored data.
 */
public final class RedisJobQueue implements JobQueue, AutoCloseable {

	private static final int BATCH = 100;

	private final LeaseConnections connections;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final QueueScripts scripts;

	private final QueueCommands commands;

	private final DefinitionFormat definitions = new DefinitionFormat();

	private final FastPathScript admission;

	private final FastPathScript singleAdmission;

	private final FastPathScript laterAdmission;

	private final Turns turns;

	private final PlainRuns plainRuns = new PlainRuns();

	private final ReservationCodec reservations;

	private final ScriptEventPublisher events;

	private final WorkChannel channel;

	/**
	 * Creates a queue.
	 * @param connections the connections, which the queue retains until it is closed
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param settings the settings of the scripts
	 * @param events the publisher of the events of jobs
	 */
	public RedisJobQueue(LeaseConnections connections, LeaseKeys keys, QueueSettings settings,
			JobEventPublisher events) {
		this(connections, keys, settings, events, QueueScripts.load());
	}

	RedisJobQueue(LeaseConnections connections, LeaseKeys keys, QueueSettings settings, JobEventPublisher events,
			QueueScripts scripts) {
		this.connections = connections.retain();
		this.scripts = scripts;
		this.commands = new QueueCommands(connections, keys);
		this.admission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT));
		this.singleAdmission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT_ONE));
		this.laterAdmission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT_LATER));
		this.reservations = new ReservationCodec(this.plainRuns, settings,
				SingleServer.isServerOf(connections.shared()));
		this.turns = new Turns(new FastPathScript(this.commands, scripts.get(QueueScript.TURN)),
				new FastPathScript(this.commands, scripts.get(QueueScript.HANDOVER)),
				new TurnFormat(this.reservations.plainSettings(), this.commands.keys().registryKey()),
				timeoutOf(connections), this::returnAll);
		this.events = new ScriptEventPublisher(events);
		this.channel = new WorkChannel(connections.shared(), this.commands.keys().channel());
	}

	private static Duration timeoutOf(LeaseConnections connections) {
		return (connections.shared() instanceof LettuceConnectionFactory factory)
				? Duration.ofMillis(factory.getTimeout()) : connections.commandTimeout();
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		for (int from = 0; from < jobs.size(); from += BATCH) {
			results.addAll(enqueueBatch(jobs.subList(from, Math.min(jobs.size(), from + BATCH))));
		}
		return results;
	}

	private List<EnqueueResult> enqueueBatch(List<NewJob> jobs) {
		Duration delay = admit(jobs);
		if (delay != null) {
			jobs.forEach((job) -> this.events.enqueued(job, delay));
			return jobs.stream().<EnqueueResult>map((job) -> new EnqueueResult.Accepted(job.id())).toList();
		}
		List<Object> args = new ArrayList<>(1 + jobs.size() * DefinitionFormat.ARGUMENTS);
		args.add(QueueExtension.KNOWN_FOR);
		jobs.forEach((job) -> this.definitions.add(job, args));
		List<Object> reply = send(jobs,
				(what) -> this.commands.runBinary(what, this.scripts.get(QueueScript.ENQUEUE), args))
			.texts();
		this.events.publish((List<?>) reply.get(1));
		return EnqueueAnswers.read(reply.get(0));
	}

	/**
	 * Enqueues jobs by a fast path.
	 * @return the time until they are due, or {@code null} if nothing was done
	 */
	private @Nullable Duration admit(List<NewJob> jobs) {
		FastPathScript script = (jobs.size() > 1) ? this.admission
				: isDueNow(jobs.get(0)) ? this.singleAdmission : this.laterAdmission;
		if (!jobs.stream().allMatch((job) -> isPlain(job, jobs.size() > 1)) || script.skipsNext()) {
			return null;
		}
		List<Object> args = new ArrayList<>(2 * jobs.size());
		jobs.forEach((job) -> this.definitions.addPlain(job, args));
		BinaryReply reply = send(jobs, (what) -> script.run(what, args));
		return (reply.size() > 0) ? Duration.ofMillis(reply.number(0)) : null;
	}

	/**
	 * Returns whether a job replaces no other one and makes no claim. One of several is
	 * also due at once.
	 */
	private static boolean isPlain(NewJob job, boolean isOneOfSeveral) {
		return job.onDuplicate() != DuplicateStrategy.REPLACE && job.lock() != LockStrategy.UNTIL_EXPIRED
				&& (isDueNow(job) || !isOneOfSeveral);
	}

	private static boolean isDueNow(NewJob job) {
		return job.start().delay() == null && job.start().at() == null;
	}

	private <T extends @Nullable Object> T send(List<NewJob> jobs, Function<String, T> call) {
		try {
			return call.apply("enqueue " + jobs.size() + " job(s)");
		}
		catch (QueueUnavailableException ex) {
			this.events.unavailable(jobs, ex);
			throw ex;
		}
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		return started(this.turns.serve(request, () -> {
			TurnReply turn = this.turns.run("reserve", new PlainTurn(List.of(), request));
			return (turn != null) ? reserved(turn) : reserveByScript(request);
		}));
	}

	private Reservation reserved(TurnReply turn) {
		this.events.publish(turn.events().texts());
		return this.reservations.readPlain(turn);
	}

	private Reservation reserveByScript(ReservationRequest request) {
		List<Object> args = new ArrayList<>();
		this.reservations.add(request, args);
		BinaryReply reply = this.commands.runBinary("reserve", this.scripts.get(QueueScript.RESERVE), args);
		this.events.publish(reply.reply(1).texts());
		return this.reservations.read(reply.reply(0));
	}

	/**
	 * Returns the jobs of a reservation whose reply is lost to their places. If it was
	 * not executed, its request has no slots, so it reserves none now.
	 */
	private void returnAll(ReservationRequest lost) {
		Reservation reservation = started(reserveByScript(lost));
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

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		SplitEnds split = this.plainRuns.split(ends);
		Settlement settlement = this.turns.serve(next, () -> {
			if (split.others().isEmpty()) {
				return settlePlain(split, next);
			}
			return (next == null || split.runs().isEmpty()) ? settleByScript(what(ends), ends, next)
					: settleSeparately(ends, split, next);
		});
		this.plainRuns.remove(ends);
		return settlement;
	}

	/**
	 * Ends the runs that only {@code settle.lua} can end, before all others. So a few of
	 * them do not make the whole turn expensive. If the second call fails and the turn is
	 * repeated, the first one returns the known results.
	 */
	private Settlement settleSeparately(List<RunEnd> ends, SplitEnds split, ReservationRequest next) {
		Settlement others = settleByScript(what(split.others()), split.others(), null);
		Settlement plain = settlePlain(split, next);
		return new Settlement(split.merge(ends, plain.ends(), others.ends()), plain.next());
	}

	private Settlement settlePlain(SplitEnds split, @Nullable ReservationRequest next) {
		TurnReply turn = this.turns.run(what(split.plain()), new PlainTurn(split.runs(), next));
		return (turn != null) ? settled(split.runs(), next, turn)
				: settleByScript(what(split.plain()), split.plain(), next);
	}

	private static String what(List<RunEnd> ends) {
		return "end " + ends.size() + " run(s)";
	}

	private Settlement settleByScript(String what, List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<Object> args = new ArrayList<>(16 + ends.size() * 6);
		this.reservations.add(next, args);
		for (RunEnd end : ends) {
			args.add(end.id());
			args.add(RunTokens.nonce(end.token()));
			args.add(end.kind().name());
			args.add(Long.toString(end.delay().toMillis()));
			args.add(AttemptsFormat.problem(end));
			args.add((end.progress() != null) ? RecordFormat.progress(end.progress()) : "");
		}
		BinaryReply reply = this.commands.runBinary(what, this.scripts.get(QueueScript.SETTLE), args);
		this.events.publish(reply.reply(2).texts());
		BinaryReply answers = reply.reply(0);
		List<EndResult> results = IntStream.range(0, ends.size())
			.mapToObj((i) -> end(ends.get(i), answers.reply(i)))
			.toList();
		return new Settlement(results, (next != null) ? started(this.reservations.read(reply.reply(1))) : null);
	}

	private Settlement settled(List<PlainRun> runs, @Nullable ReservationRequest next, TurnReply turn) {
		List<EndResult> results = new ArrayList<>(runs.size());
		for (PlainRun run : runs) {
			this.events.succeeded(run, turn.time());
			results.add(new EndResult(run.id(), true, JobState.SUCCEEDED));
		}
		Reservation reservation = reserved(turn);
		return new Settlement(results, (next != null) ? started(reservation) : null);
	}

	private static EndResult end(RunEnd end, BinaryReply answer) {
		return new EndResult(end.id(), answer.number(0) == 1, RecordFormat.knownState(answer.text(1)));
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		List<Object> args = new ArrayList<>(runs.size() * 2);
		for (RunToken run : runs) {
			args.add(run.id());
			args.add(RunTokens.nonce(run.token()));
		}
		return this.commands.renew("renew " + runs.size() + " run(s)", this.scripts.get(QueueScript.RENEW), args)
			.stream()
			.map((answer) -> renewal((List<?>) answer))
			.toList();
	}

	private static RunRenewal renewal(List<?> answer) {
		String loss = answer.get(1).toString();
		return new RunRenewal(ReservationCodec.number(answer.get(0)) == 1,
				loss.isEmpty() ? null : LeaseLossCause.valueOf(loss.toUpperCase(Locale.ROOT)),
				ReservationCodec.number(answer.get(2)) == 1);
	}

	@Override
	public void progress(List<RunProgress> runs) {
		List<Object> args = new ArrayList<>(runs.size() * 3);
		for (RunProgress run : runs) {
			this.plainRuns.changed(run.run());
			args.add(run.run().id());
			args.add(RunTokens.nonce(run.run().token()));
			args.add(RecordFormat.progress(run));
		}
		this.commands.run("store the progress of " + runs.size() + " run(s)", this.scripts.get(QueueScript.PROGRESS),
				args);
	}

	@Override
	public Duration countMinute() {
		List<Object> reply = this.commands.run("store the counts of a minute", this.scripts.get(QueueScript.MINUTES),
				List.of("store"));
		return Duration.ofMillis(ReservationCodec.number(reply.get(1)));
	}

	@Override
	public boolean isQuiet(String instance, boolean quiet) {
		return ReservationCodec.number(this.commands
			.run("find quiet workers", this.scripts.get(QueueScript.QUIET), List.of(instance, quiet ? "keep" : "find"))
			.get(0)) == 1;
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.channel.listen(listener);
	}

	/**
	 * Ends the subscription and gives the connections back.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.channel.close();
			this.connections.close();
		}
	}

}
