package io.locket.queue.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.locket.lease.redis.LeaseKeys;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.redis.format.BinaryReply;
import io.locket.queue.spi.RunsRefusedException;
import io.locket.redis.RedisConnections;
import io.locket.redis.RedisFailure;
import io.locket.redis.SlotRefusal;
import io.locket.redis.script.ScriptRunner;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Executor of the commands and scripts of the queue. It translates failures into
 * {@link QueueUnavailableException}. Thread-safe.
 */
final class QueueCommands {

	private final QueueKeys keys;

	private final ScriptRunner runner;

	private final QueueScripts scripts;

	QueueCommands(RedisConnections connections, LeaseKeys keys, QueueScripts scripts) {
		this.keys = new QueueKeys(keys);
		this.runner = new ScriptRunner(connections.shared(), connections.commandTimeout());
		this.scripts = scripts;
	}

	QueueKeys keys() {
		return this.keys;
	}

	StringRedisTemplate redis() {
		return this.runner.redis();
	}

	/**
	 * Runs a script that may be repeated.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after those that every script has
	 * @return the reply
	 */
	List<Object> run(String what, QueueScript script, List<?> args) {
		Object[] all = arguments(args);
		return call(what, () -> this.runner.run(this.scripts.get(script), this.keys.all(), all));
	}

	/**
	 * Runs a script whose repetition has another reply.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after those that every script has
	 * @return the reply
	 */
	List<Object> runOnce(String what, QueueScript script, List<?> args) {
		return runOnce(what, this.scripts.get(script), args);
	}

	List<Object> runOnce(String what, RedisScript<List<Object>> script, List<?> args) {
		Object[] all = arguments(args);
		return call(what, () -> this.runner.runOnce(script, this.keys.all(), all));
	}

	/**
	 * Runs a script that may be repeated and whose arguments or reply contain binary
	 * data.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after those that every script has, each a text or a
	 * {@code byte[]}
	 * @return the reply
	 */
	BinaryReply runBinary(String what, QueueScript script, List<?> args) {
		return runBinary(what, this.scripts.get(script), args);
	}

	BinaryReply runBinary(String what, RedisScript<List<Object>> script, List<?> args) {
		return runBinary(what, script, this.keys.all(), args);
	}

	/**
	 * Runs the script of a {@link FastPathScript}.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param args the arguments after those that every script has, each a text or a
	 * {@code byte[]}
	 * @return the reply
	 */
	BinaryReply runFastPath(String what, QueueScript script, List<?> args) {
		return runBinary(what, this.scripts.get(script), this.keys.ofFastPaths(), args);
	}

	/**
	 * Runs a script of one key.
	 * @param what the operation as a verb phrase, for error messages
	 * @param script the script
	 * @param name the name of the key, without the prefix of the namespace
	 * @return the reply
	 */
	BinaryReply runOnKey(String what, RedisScript<List<Object>> script, String name) {
		return runBinary(what, script, List.of(this.keys.name(name)), List.of());
	}

	/**
	 * Sends the script of a {@link FastPathScript}, without waiting for the reply.
	 * @param script the script
	 * @param args the arguments after those that every script has, each a text or a
	 * {@code byte[]}
	 * @return the reply, or {@code null} if the script cannot be sent so now
	 */
	@Nullable CompletionStage<List<Object>> sendFastPath(QueueScript script, List<?> args) {
		return this.runner.send(this.scripts.get(script), this.keys.ofFastPaths(), arguments(args));
	}

	private BinaryReply runBinary(String what, RedisScript<List<Object>> script, List<String> keys, List<?> args) {
		Object[] all = arguments(args);
		return call(what, () -> new BinaryReply(this.runner.runBinary(script, keys, all)));
	}

	/**
	 * Reads a field of a hash.
	 * @param what the operation as a verb phrase, for error messages
	 * @param hash the name of the hash
	 * @param field the name of the field
	 * @return the value, or {@code null} if there is none
	 */
	byte @Nullable [] field(String what, String hash, String field) {
		byte[] key = hash.getBytes(StandardCharsets.UTF_8);
		byte[] name = field.getBytes(StandardCharsets.UTF_8);
		return call(what, () -> redis()
			.execute((RedisCallback<byte @Nullable []>) (connection) -> connection.hashCommands().hGet(key, name)));
	}

	/**
	 * Reads some fields of a hash.
	 * @param what the operation as a verb phrase, for error messages
	 * @param hash the name of the hash
	 * @param fields the names of the fields, at least one
	 * @return the values in the order of the fields, {@code null} for a field that does
	 * not exist
	 */
	List<byte @Nullable []> fields(String what, String hash, List<String> fields) {
		byte[] key = hash.getBytes(StandardCharsets.UTF_8);
		byte[][] names = fields.stream().map((field) -> field.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
		List<byte @Nullable []> values = call(what, () -> redis().execute(
				(RedisCallback<List<byte @Nullable []>>) (connection) -> connection.hashCommands().hMGet(key, names)));
		return Objects.requireNonNull(values, "A command outside of a pipeline has a reply");
	}

	/**
	 * Runs the script that renews runs without repeating it, because the heartbeat
	 * repeats it.
	 * @param what the operation as a verb phrase, for error messages
	 * @param args the arguments after those that every script has
	 * @return the reply
	 */
	List<Object> renew(String what, List<?> args) {
		Object[] all = arguments(args);
		try {
			return call(what, () -> this.runner.runWithoutRetry(this.scripts.get(QueueScript.RENEW),
					this.keys.ofRenewals(), all));
		}
		catch (QueueUnavailableException ex) {
			throw SlotRefusal.isOfMovingSlot(ex) ? new RunsRefusedException(ex) : ex;
		}
	}

	private Object[] arguments(List<?> args) {
		Object[] all = new Object[2 + args.size()];
		all[0] = this.keys.prefix();
		all[1] = this.keys.registryKey();
		for (int i = 0; i < args.size(); i++) {
			all[2 + i] = args.get(i);
		}
		return all;
	}

	<T extends @Nullable Object> T call(String what, Supplier<T> command) {
		try {
			return command.get();
		}
		catch (QueueUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new QueueUnavailableException(RedisFailure.of(ex).message(what), ex);
		}
	}

}
