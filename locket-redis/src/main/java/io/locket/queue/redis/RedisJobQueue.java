package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.locket.DuplicateStrategy;
import io.locket.LeaseLossCause;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.redis.format.DefinitionFormat;
import io.locket.queue.redis.format.EnqueueAnswers;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.RunTokens;
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

	private final FastPathScript claimAdmission;

	private final FastPathScript singleAdmission;

	private final FastPathScript laterAdmission;

	private final RunService runs;

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
		this.claimAdmission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT));
		this.singleAdmission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT_ONE));
		this.laterAdmission = new FastPathScript(this.commands, scripts.get(QueueScript.ADMIT_LATER));
		this.events = new ScriptEventPublisher(events);
		this.runs = new RunService(this.commands, scripts, settings, SingleServer.isServerOf(connections.shared()),
				timeoutOf(connections), this.events);
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
		List<EnqueueResult> results = admit(jobs);
		return (results != null) ? results : enqueueByScript(jobs);
	}

	private List<EnqueueResult> enqueueByScript(List<NewJob> jobs) {
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
	 * @return the results, or {@code null} if nothing was done
	 */
	private @Nullable List<EnqueueResult> admit(List<NewJob> jobs) {
		if (jobs.stream().anyMatch((job) -> job.onDuplicate() == DuplicateStrategy.REPLACE)) {
			return null;
		}
		NewJob first = jobs.get(0);
		boolean dueNow = jobs.stream().allMatch(RedisJobQueue::isDueNow);
		if (jobs.size() > 1) {
			return dueNow ? admitAll(jobs, this.admission) : null;
		}
		if (first.lock() == LockStrategy.UNTIL_EXPIRED) {
			return dueNow ? admitAll(jobs, this.claimAdmission) : null;
		}
		return admitOne(first, dueNow ? this.singleAdmission : this.laterAdmission);
	}

	private @Nullable List<EnqueueResult> admitAll(List<NewJob> jobs, FastPathScript script) {
		if (script.skipsNext()) {
			return null;
		}
		BinaryReply reply = send(jobs, (what) -> script.run(what, this.definitions.plain(jobs)));
		if (reply.size() == 0) {
			return null;
		}
		List<EnqueueResult> results = new ArrayList<>(jobs.size());
		int refused = 1;
		for (NewJob job : jobs) {
			if (refused < reply.size() && reply.number(refused) == results.size() + 1) {
				results.add(duplicate(job, reply.from(refused + 1)));
				refused += 3;
			}
			else {
				results.add(accepted(job, reply));
			}
		}
		return results;
	}

	private @Nullable List<EnqueueResult> admitOne(NewJob job, FastPathScript script) {
		if (script.skipsNext()) {
			return null;
		}
		BinaryReply reply = send(List.of(job), (what) -> script.run(what, this.definitions.plain(job)));
		return switch (reply.size()) {
			case 0 -> null;
			case 1 -> List.of(accepted(job, reply));
			default -> List.of(duplicate(job, reply));
		};
	}

	private EnqueueResult accepted(NewJob job, BinaryReply delay) {
		this.events.enqueued(job, Duration.ofMillis(delay.number(0)));
		return new EnqueueResult.Accepted(job.id());
	}

	private EnqueueResult duplicate(NewJob job, BinaryReply holder) {
		String id = holder.text(0).isEmpty() ? null : holder.text(0);
		this.events.duplicate(job, id);
		return new EnqueueResult.Duplicate(id, RecordFormat.knownState(holder.text(1)));
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
		return this.runs.reserve(request);
	}

	@Override
	public Settlement settle(List<RunEnd> ends, @Nullable ReservationRequest next) {
		return this.runs.settle(ends, next);
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
			this.runs.changed(run.run());
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
