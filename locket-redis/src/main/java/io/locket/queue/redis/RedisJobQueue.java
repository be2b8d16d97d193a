package io.locket.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.LeaseLossCause;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.RecordFormat;
import io.locket.queue.redis.format.ReplyNumbers;
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
import io.locket.redis.RedisConnections;
import io.locket.redis.SingleServer;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link JobQueue} in Redis. Every operation is one script that may be repeated.
 * {@code store.lua} describes the stored data.
 */
public final class RedisJobQueue implements JobQueue, AutoCloseable {

	private final RedisConnections connections;

	private final AtomicBoolean closed = new AtomicBoolean();

	private final QueueCommands commands;

	private final EnqueueService enqueuing;

	private final RunService runs;

	private final WorkChannel channel;

	/**
	 * Creates a queue.
	 * @param connections the connections, which the queue retains until it is closed
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param settings the settings of the scripts
	 * @param events the publisher of the events of jobs
	 */
	public RedisJobQueue(RedisConnections connections, LeaseKeys keys, QueueSettings settings,
			JobEventPublisher events) {
		this(connections, keys, settings, events, QueueScripts.load());
	}

	RedisJobQueue(RedisConnections connections, LeaseKeys keys, QueueSettings settings, JobEventPublisher events,
			QueueScripts scripts) {
		this.connections = connections.retain();
		this.commands = new QueueCommands(connections, keys, scripts);
		ScriptEventPublisher publisher = new ScriptEventPublisher(events);
		this.enqueuing = new EnqueueService(this.commands, publisher);
		this.runs = new RunService(this.commands, settings, SingleServer.isServerOf(connections.shared()),
				timeoutOf(connections), publisher);
		this.channel = new WorkChannel(connections.shared(), this.commands.keys().channel());
	}

	private static Duration timeoutOf(RedisConnections connections) {
		return (connections.shared() instanceof LettuceConnectionFactory factory)
				? Duration.ofMillis(factory.getTimeout()) : connections.commandTimeout();
	}

	@Override
	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.enqueuing.enqueue(jobs);
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
		return this.commands.renew("renew " + runs.size() + " run(s)", args)
			.stream()
			.map((reply) -> renewal((List<?>) reply))
			.toList();
	}

	private static RunRenewal renewal(List<?> reply) {
		String loss = reply.get(1).toString();
		return new RunRenewal(ReplyNumbers.number(reply.get(0)) == 1,
				loss.isEmpty() ? null : LeaseLossCause.valueOf(loss.toUpperCase(Locale.ROOT)),
				ReplyNumbers.number(reply.get(2)) == 1);
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
		this.commands.run("store the progress of " + runs.size() + " run(s)", QueueScript.PROGRESS, args);
	}

	@Override
	public Duration countMinute() {
		List<Object> reply = this.commands.run("store the counts of a minute", QueueScript.MINUTES, List.of("store"));
		return Duration.ofMillis(ReplyNumbers.number(reply.get(1)));
	}

	@Override
	public boolean refreshQuiet(String instance, boolean quiet) {
		return ReplyNumbers.number(
				this.commands.run("find quiet workers", QueueScript.QUIET, List.of(instance, quiet ? "keep" : "find"))
					.get(0)) == 1;
	}

	@Override
	public Listening listen(WorkListener listener) {
		return this.channel.listen(listener);
	}

	/**
	 * Ends the subscription and releases the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.channel.close();
			this.connections.close();
		}
	}

}
