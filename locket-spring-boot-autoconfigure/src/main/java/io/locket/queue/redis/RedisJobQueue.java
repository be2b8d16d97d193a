package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.locket.LeaseLossCause;
import io.locket.event.JobEventPublisher;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.EndResult;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobQueue;
import io.locket.queue.NewJob;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.Reservation;
import io.locket.queue.ReservationRequest;
import io.locket.queue.RunEnd;
import io.locket.queue.RunProgress;
import io.locket.queue.RunRenewal;
import io.locket.queue.RunToken;
import io.locket.queue.Settlement;
import io.locket.queue.WorkListener;
import org.jspecify.annotations.Nullable;

/**
 * The queue in Redis. Every step is one script, which may be repeated; what it keeps is
 * told in {@code store.lua}.
 */
public final class RedisJobQueue implements JobQueue, AutoCloseable {

	private static final int BATCH = 100;

	private final LeaseConnections connections;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final QueueScripts scripts;

	private final QueueCommands commands;

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
		this.scripts = scripts;
		this.commands = new QueueCommands(connections, keys);
		this.reservations = new Reservations(this.format, settings);
		this.events = new QueueEvents(events);
		this.channel = new WorkChannel(connections.shared(), this.commands.keys().channel());
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
		args.add(EnqueueArguments.KNOWN_FOR);
		jobs.forEach((job) -> args.addAll(EnqueueArguments.of(job, this.format)));
		List<Object> reply = send(jobs, args);
		this.events.publish((List<?>) reply.get(1));
		return EnqueueAnswers.read(reply.get(0));
	}

	private List<Object> send(List<NewJob> jobs, List<Object> args) {
		try {
			return this.commands.run("enqueue " + jobs.size() + " job(s)", this.scripts.enqueue(), args);
		}
		catch (QueueUnavailableException ex) {
			this.events.unavailable(jobs, ex);
			throw ex;
		}
	}

	@Override
	public Reservation reserve(ReservationRequest request) {
		List<Object> reply = this.commands.run("reserve", this.scripts.reserve(),
				List.of(this.reservations.limits(), this.reservations.write(request)));
		this.events.publish((List<?>) reply.get(1));
		return this.reservations.read(reply.get(0));
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<Object> args = new ArrayList<>(2 + ends.size() * 6);
		args.add(this.reservations.limits());
		args.add(this.reservations.write(next));
		for (RunEnd end : ends) {
			args.add(end.id());
			args.add(RunTokens.nonce(end.token()));
			args.add(end.kind().name());
			args.add(Long.toString(RecordFormat.millis(end.delay())));
			args.add(Objects.requireNonNullElse(end.error(), ""));
			args.add((end.progress() != null) ? RecordFormat.progress(end.progress()) : "");
		}
		List<Object> reply = this.commands.run("end " + ends.size() + " run(s)", this.scripts.settle(), args);
		this.events.publish((List<?>) reply.get(2));
		List<?> answers = (List<?>) reply.get(0);
		List<EndResult> results = IntStream.range(0, ends.size())
			.mapToObj((i) -> end(ends.get(i), (List<?>) answers.get(i)))
			.toList();
		return new Settlement(results, (next != null) ? this.reservations.read(reply.get(1)) : null);
	}

	private static EndResult end(RunEnd end, List<?> answer) {
		return new EndResult(end.id(), Reservations.number(answer.get(0)) == 1,
				RecordFormat.knownState(answer.get(1).toString()));
	}

	@Override
	public List<RunRenewal> renew(List<RunToken> runs) {
		List<Object> args = new ArrayList<>(runs.size() * 2);
		for (RunToken run : runs) {
			args.add(run.id());
			args.add(RunTokens.nonce(run.token()));
		}
		return this.commands.run("renew " + runs.size() + " run(s)", this.scripts.renew(), args)
			.stream()
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
	public void progress(List<RunProgress> runs) {
		List<Object> args = new ArrayList<>(runs.size() * 3);
		for (RunProgress run : runs) {
			args.add(run.run().id());
			args.add(RunTokens.nonce(run.run().token()));
			args.add(RecordFormat.progress(run));
		}
		this.commands.run("store the progress of " + runs.size() + " run(s)", this.scripts.progress(), args);
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.channel.listen(listener);
	}

	/**
	 * End the subscription, and stop being a user of the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.channel.close();
			this.connections.close();
		}
	}

}
