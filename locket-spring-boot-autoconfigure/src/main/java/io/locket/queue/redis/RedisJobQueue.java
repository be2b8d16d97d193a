package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.LeaseLossCause;
import io.locket.event.JobEventPublisher;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.lease.ScriptRunner;
import io.locket.queue.CancelResult;
import io.locket.queue.EndResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobQueue;
import io.locket.queue.JobRecord;
import io.locket.queue.JobStore;
import io.locket.queue.NewJob;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueNames;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.RunEnd;
import io.locket.queue.RunRenewal;
import io.locket.queue.RunToken;
import io.locket.queue.Settlement;
import io.locket.queue.Violation;
import io.locket.queue.WorkListener;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * The queue in Redis. Every step is one script, which may be repeated; what it keeps is
 * told in {@code store.lua}.
 */
public final class RedisJobQueue implements JobQueue, JobStore, AutoCloseable {

	private static final int BATCH = 100;

	/**
	 * How long the id of a replacement stays known. Nobody repeats a call later.
	 */
	private static final long KNOWN_FOR_MILLIS = 600_000;

	private static final List<String> PLACES = List.of("scheduled", "retry", "parked", "ready");

	private final LeaseConnections connections;

	private final QueueKeys keys;

	private final QueueScripts scripts;

	private final ScriptRunner runner;

	private final RecordFormat format = new RecordFormat();

	private final Reservations reservations;

	private final QueueEvents events;

	private final WorkChannel channel;

	/**
	 * Create a queue.
	 * @param connections the connections, of which it becomes a user
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param settings how it works
	 * @param events is told of what happens
	 */
	public RedisJobQueue(LeaseConnections connections, LeaseKeys keys, QueueSettings settings,
			JobEventPublisher events) {
		this(connections, keys, settings, events, QueueScripts.load());
	}

	RedisJobQueue(LeaseConnections connections, LeaseKeys keys, QueueSettings settings, JobEventPublisher events,
			QueueScripts scripts) {
		this.connections = connections.retain();
		this.keys = new QueueKeys(keys);
		this.scripts = scripts;
		this.runner = new ScriptRunner(connections.shared());
		this.reservations = new Reservations(this.format, settings);
		this.events = new QueueEvents(events);
		this.channel = new WorkChannel(connections.shared(), this.keys.channel());
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
		List<Object> args = new ArrayList<>(1 + jobs.size() * 4);
		args.add(Long.toString(KNOWN_FOR_MILLIS));
		for (NewJob job : jobs) {
			args.add(job.id());
			args.add(this.format.head(job));
			args.add(job.arguments());
			args.add(this.format.options(job));
		}
		List<Object> reply = run("enqueue " + jobs.size() + " job(s)", this.scripts.enqueue(), args);
		this.events.publish((List<?>) reply.get(1));
		return ((List<?>) reply.get(0)).stream().map((answer) -> result((List<?>) answer)).toList();
	}

	private static EnqueueResult result(List<?> answer) {
		String id = answer.get(1).toString();
		return switch (answer.get(0).toString()) {
			case "accepted" -> new EnqueueResult.Accepted(id);
			case "replaced" -> new EnqueueResult.Replaced(id);
			default -> new EnqueueResult.Duplicate(id.isEmpty() ? null : id, state(answer.get(2)));
		};
	}

	/**
	 * Read a state. One that is not known any more, or that only a later version of
	 * Locket knows, is none.
	 */
	private static @Nullable JobState state(Object code) {
		return Arrays.stream(JobState.values())
			.filter((state) -> RecordFormat.lower(state).equals(code.toString()))
			.findFirst()
			.orElse(null);
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		List<Object> reply = run("reserve", this.scripts.reserve(),
				List.of(this.reservations.limits(), this.reservations.write(request)));
		this.events.publish((List<?>) reply.get(1));
		return this.reservations.read(reply.get(0));
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<Object> args = new ArrayList<>(2 + ends.size() * 5);
		args.add(this.reservations.limits());
		args.add(this.reservations.write(next));
		for (RunEnd end : ends) {
			args.add(end.id());
			args.add(RunTokens.nonce(end.token()));
			args.add(end.kind().name());
			args.add(Long.toString(RecordFormat.millis(end.delay())));
			args.add(Objects.requireNonNullElse(end.error(), ""));
		}
		List<Object> reply = run("end " + ends.size() + " run(s)", this.scripts.settle(), args);
		this.events.publish((List<?>) reply.get(2));
		List<?> answers = (List<?>) reply.get(0);
		List<EndResult> results = IntStream.range(0, ends.size())
			.mapToObj((i) -> end(ends.get(i), (List<?>) answers.get(i)))
			.toList();
		return new Settlement(results, (next != null) ? this.reservations.read(reply.get(1)) : null);
	}

	private static EndResult end(RunEnd end, List<?> answer) {
		return new EndResult(end.id(), Reservations.number(answer.get(0)) == 1, state(answer.get(1)));
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		List<Object> args = new ArrayList<>(runs.size() * 2);
		for (RunToken run : runs) {
			args.add(run.id());
			args.add(RunTokens.nonce(run.token()));
		}
		return run("renew " + runs.size() + " run(s)", this.scripts.renew(), args).stream()
			.map((answer) -> renewal((List<?>) answer))
			.toList();
	}

	private static RunRenewal renewal(List<?> answer) {
		String loss = answer.get(1).toString();
		return new RunRenewal(Reservations.number(answer.get(0)) == 1,
				loss.isEmpty() ? null : LeaseLossCause.valueOf(loss.toUpperCase(Locale.ROOT)),
				Reservations.number(answer.get(2)) == 1);
	}

	@Override
	public CancelResult cancel(String id) {
		List<Object> reply = run("cancel " + id, this.scripts.cancel(), List.of(id));
		this.events.publish((List<?>) reply.get(1));
		return CancelResult.valueOf(reply.get(0).toString().toUpperCase(Locale.ROOT));
	}

	@Override
	public void pause(String queue) {
		QueueNames.require(queue);
		run("pause " + queue, this.scripts.pause(), List.of(queue, "1"));
	}

	@Override
	public void resume(String queue) {
		QueueNames.require(queue);
		run("resume " + queue, this.scripts.pause(), List.of(queue, "0"));
	}

	@Override
	public long remove(String queue) {
		QueueNames.require(queue);
		String startedAt = "";
		long removed = 0;
		for (String place : PLACES) {
			String after = "-inf";
			while (!after.isEmpty()) {
				List<Object> reply = run("remove " + queue, this.scripts.remove(),
						List.of(queue, startedAt, place, after));
				startedAt = reply.get(0).toString();
				removed += Reservations.number(reply.get(1));
				after = reply.get(2).toString();
				this.events.publish((List<?>) reply.get(3));
			}
		}
		return removed;
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.channel.listen(listener);
	}

	@Override
	public Optional<JobRecord> find(String id) {
		Object text = ask("find " + id, () -> this.runner.redis().opsForHash().get(this.keys.jobs(), id));
		return Optional.ofNullable(text).flatMap((record) -> this.format.find(id, record.toString()));
	}

	@Override
	public Set<String> queues() {
		return ask("list the queues", () -> this.runner.redis().opsForHash().keys(this.keys.state())).stream()
			.map(Object::toString)
			.filter((field) -> field.startsWith("q:"))
			.map((field) -> field.substring(2))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Override
	public QueueCounts counts(String queue) {
		Object text = ask("count " + queue,
				() -> this.runner.redis().opsForHash().get(this.keys.state(), "q:" + queue));
		JsonNode counters = this.format.tree((text != null) ? text.toString() : "{}");
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			states.put(state, counters.path(RecordFormat.lower(state)).asLong(0));
		}
		return new QueueCounts(queue, counters.has("paused"), counters.path("accepted").asLong(0),
				counters.path("moved_in").asLong(0), counters.path("moved_out").asLong(0), states);
	}

	@Override
	public List<Violation> verify() {
		return check("0");
	}

	@Override
	public List<Violation> repair() {
		return check("1");
	}

	private List<Violation> check(String mend) {
		Set<String> queues = queues();
		return ask("check the queues", () -> new QueueCheck(this.runner.redis(), this.keys, (what, subjects) -> {
			List<Object> args = new ArrayList<>(List.of(mend, what));
			args.addAll(subjects);
			return run("check " + what, this.scripts.check(), args).stream()
				.map((violation) -> violation((List<?>) violation))
				.toList();
		}).run(queues));
	}

	private static Violation violation(List<?> parts) {
		return new Violation(parts.get(0).toString(), parts.get(1).toString(), Reservations.number(parts.get(2)) == 1);
	}

	private List<Object> run(String what, RedisScript<List<Object>> script, List<?> args) {
		Object[] all = new Object[2 + args.size()];
		all[0] = this.keys.prefix();
		all[1] = this.keys.registryKey();
		for (int i = 0; i < args.size(); i++) {
			all[2 + i] = args.get(i);
		}
		return ask(what, () -> this.runner.run(script, this.keys.all(), all));
	}

	private static <T extends @Nullable Object> T ask(String what, Supplier<T> question) {
		try {
			return question.get();
		}
		catch (QueueUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw QueueFailures.of(what, ex);
		}
	}

	/**
	 * End the subscription, and stop being a user of the connections.
	 */
	@Override
	public void close() {
		this.channel.close();
		this.connections.close();
	}

}
