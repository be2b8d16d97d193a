package io.locket.queue.redis;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.EnqueueResult;
import io.locket.queue.redis.event.ScriptEventPublisher;
import io.locket.queue.redis.format.DefinitionFormat;
import io.locket.queue.redis.format.EnqueueFormat;
import io.locket.queue.spi.NewJob;
import io.locket.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Access to the queues for other parts of Locket that enqueue jobs in scripts of their
 * own. Such scripts build on those of the queue and keep its invariants. Thread-safe.
 */
public final class QueueExtension implements AutoCloseable {

	/**
	 * Time for which the id of a replacement stays known, in milliseconds. No client
	 * repeats a call after that.
	 */
	static final String KNOWN_FOR = "600000";

	private final RedisConnections connections;

	private final Function<String, Resource> files;

	private final QueueCommands commands;

	private final ScriptEventPublisher events;

	private final DefinitionFormat format = new DefinitionFormat();

	private final AtomicBoolean closed = new AtomicBoolean();

	/**
	 * Creates an extension.
	 * @param connections the connections, which the extension retains until it is closed
	 * @param keys the names of leases in Redis, whose namespace and lock space it shares
	 * @param events the publisher of the events of jobs
	 */
	public QueueExtension(RedisConnections connections, LeaseKeys keys, JobEventPublisher events) {
		this(connections, keys, events, QueueScripts::part);
	}

	QueueExtension(RedisConnections connections, LeaseKeys keys, JobEventPublisher events,
			Function<String, Resource> files) {
		this.connections = connections.retain();
		this.files = files;
		this.commands = new QueueCommands(connections, keys, QueueScripts.load());
		this.events = new ScriptEventPublisher(events);
	}

	/**
	 * Creates a script that can use the functions of the queue's scripts up to those of
	 * {@code entry.lua}.
	 * @param parts the parts of the script itself
	 * @return the script
	 */
	public RedisScript<List<Object>> script(Resource... parts) {
		return QueueScripts.script(this.files,
				Stream.concat(Stream.of(this.files.apply("entry")), Stream.of(parts)).toList());
	}

	/**
	 * Creates a script of one key, which can use the clock of the queue's scripts only.
	 * @param part the script itself
	 * @return the script, for {@link #runOnKey}
	 */
	public RedisScript<List<Object>> scriptOfOneKey(Resource part) {
		return QueueScripts.fastPath(this.files, List.of(part));
	}

	/**
	 * Runs a script of one key, which may be repeated. A cluster serves it also while the
	 * slot moves.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param name the name of the key, without the prefix of the namespace
	 * @return the reply
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public List<Object> runOnKey(String what, RedisScript<List<Object>> script, String name) {
		return this.commands.runOnKey(what, script, name).texts();
	}

	/**
	 * Runs a script that may be repeated.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after the two that every script of the queue has, each a
	 * text or a {@code byte[]}
	 * @return the reply
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public List<Object> run(String what, RedisScript<List<Object>> script, List<?> args) {
		return this.commands.runBinary(what, script, args).texts();
	}

	/**
	 * Runs a script whose repetition has another reply. If the driver has sent it twice,
	 * there is no reply.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after the two that every script of the queue has
	 * @return the reply
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public List<Object> runOnce(String what, RedisScript<List<Object>> script, List<String> args) {
		return this.commands.runOnce(what, script, args);
	}

	/**
	 * Reads a field of a hash of the namespace.
	 * @param what the operation as a verb phrase, for error messages
	 * @param hash the name of the hash, without the prefix of the namespace
	 * @param field the name of the field
	 * @return the value, or {@code null} if there is none
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	public @Nullable String field(String what, String hash, String field) {
		Object value = this.commands.call(what,
				() -> this.commands.redis().opsForHash().get(this.commands.keys().name(hash), field));
		return Objects.toString(value, null);
	}

	/**
	 * Returns the time for which the id of a replacement stays known.
	 * @return the time in milliseconds, as an argument of scripts
	 */
	public String knownFor() {
		return KNOWN_FOR;
	}

	/**
	 * Adds the arguments of a job. {@code read_new} in {@code entry.lua} describes them.
	 * @param job the job
	 * @param arguments the arguments of the script
	 */
	public void add(NewJob job, List<Object> arguments) {
		this.format.add(job, arguments);
	}

	/**
	 * Reads a result of {@code enqueue} in {@code entry.lua}.
	 * @param values the values of the result
	 * @return the result of enqueuing the job
	 */
	public EnqueueResult result(List<?> values) {
		return EnqueueFormat.result(values);
	}

	/**
	 * Publishes the events in the reply of a script.
	 * @param events the events as the script returned them
	 */
	public void publish(List<?> events) {
		this.events.publish(events);
	}

	/**
	 * Releases the connections.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.connections.close();
		}
	}

}
