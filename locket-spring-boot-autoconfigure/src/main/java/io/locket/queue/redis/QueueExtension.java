package io.locket.queue.redis;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.locket.event.JobEventPublisher;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.NewJob;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Lets another part of Locket bring jobs into the queues within scripts of its own, which
 * stand on those of the queue and keep to its rules. Thread-safe.
 */
public final class QueueExtension implements AutoCloseable {

	private final LeaseConnections connections;

	private final Resource clock;

	private final QueueCommands commands;

	private final QueueEvents events;

	private final RecordFormat format = new RecordFormat();

	private final AtomicBoolean closed = new AtomicBoolean();

	/**
	 * Create an extension.
	 * @param connections the connections, of which it becomes a user
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param events is told of what happens to jobs
	 */
	public QueueExtension(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events) {
		this(connections, keys, events, QueueScripts.part("clock"));
	}

	QueueExtension(LeaseConnections connections, LeaseKeys keys, JobEventPublisher events, Resource clock) {
		this.connections = connections.retain();
		this.clock = clock;
		this.commands = new QueueCommands(connections, keys);
		this.events = new QueueEvents(events);
	}

	/**
	 * Make a script that finds the functions of the queue's scripts up to those of
	 * {@code entry.lua}.
	 * @param parts its own parts
	 * @return the script
	 */
	public RedisScript<List<Object>> script(Resource... parts) {
		return QueueScripts.script(this.clock,
				Stream.concat(Stream.of(QueueScripts.part("entry")), Stream.of(parts)).toList());
	}

	/**
	 * Run a script that may be repeated.
	 * @param what what it does, to end "gave no answer to" with
	 * @param script the script
	 * @param args its arguments behind the two that every script of the queue has
	 * @return its answer
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	public List<Object> run(String what, RedisScript<List<Object>> script, List<?> args) {
		return this.commands.run(what, script, args);
	}

	/**
	 * Read a field of a hash of the namespace.
	 * @param what what this does, to end "gave no answer to" with
	 * @param hash the name of the hash, without the prefix of the namespace
	 * @param field the name of the field
	 * @return the value, or {@code null} if there is none
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	public @Nullable String field(String what, String hash, String field) {
		Object value = this.commands.ask(what,
				() -> this.commands.redis().opsForHash().get(this.commands.keys().name(hash), field));
		return Objects.toString(value, null);
	}

	/**
	 * Return how long the id of a replacement stays known.
	 * @return the time in milliseconds, as scripts get it
	 */
	public String knownFor() {
		return EnqueueArguments.KNOWN_FOR;
	}

	/**
	 * Write a job as {@code enqueue.lua} expects it.
	 * @param job the job
	 * @return four arguments
	 */
	public List<String> arguments(NewJob job) {
		return EnqueueArguments.of(job, this.format);
	}

	/**
	 * Read what {@code enqueue} in {@code entry.lua} answers.
	 * @param answer the answer
	 * @return what became of the job
	 */
	public EnqueueResult result(List<?> answer) {
		return EnqueueAnswers.result(answer);
	}

	/**
	 * Tell of what a script has done.
	 * @param events what it has told
	 */
	public void publish(List<?> events) {
		this.events.publish(events);
	}

	/**
	 * Stop being a user of the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.connections.close();
		}
	}

}
