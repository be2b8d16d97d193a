package io.locket.redis;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.ExceptionTranslationStrategy;
import org.springframework.data.redis.FallbackExceptionTranslationStrategy;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

/**
 * Script commands on the native connection that all threads share. A factory of Spring
 * Data Redis creates an object for each command and locks twice to do so. This object
 * keeps the native connection instead, until it is reset. Thread-safe.
 */
final class SharedScriptCommands implements ScriptCommands {

	private static final ExceptionTranslationStrategy EXCEPTIONS = new FallbackExceptionTranslationStrategy(
			new LettuceExceptionConverter());

	private static final String SENT_AGAIN = "The connection was closed before the reply";

	private final LettuceConnectionFactory factory;

	private final Consumer<Exception> onFailure;

	/**
	 * Held while the connection is opened or closed. A monitor would keep the carriers of
	 * all virtual threads that wait for it, until Java 24.
	 */
	private final ReentrantLock opening = new ReentrantLock();

	private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> open;

	/**
	 * The failure of the latest attempt to connect, until one succeeds.
	 */
	private volatile @Nullable NotConnectedException failure;

	/**
	 * Creates commands.
	 * @param factory the factory of the shared connection
	 * @param onFailure receives each failure of the driver
	 */
	SharedScriptCommands(LettuceConnectionFactory factory, Consumer<Exception> onFailure) {
		this.factory = factory;
		this.onFailure = onFailure;
	}

	@Override
	public @Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args, boolean once) {
		return call(CommandType.EVALSHA, digest, keys, args, once);
	}

	@Override
	public @Nullable CompletionStage<List<Object>> sendSha(String digest, byte[][] keys, byte[][] args) {
		RedisClusterAsyncCommands<byte[], byte[]> commands = this.open;
		if (commands == null) {
			return null;
		}
		RedisFuture<List<Object>> reply = send(commands, new ScriptReply(), CommandType.EVALSHA, digest, keys, args);
		reply.whenComplete((values, failure) -> {
			if (failure instanceof CancellationException) {
				this.onFailure.accept(new RedisCommandTimeoutException("The caller has cancelled the command"));
			}
		});
		return reply;
	}

	@Override
	public @Nullable List<Object> eval(String script, byte[][] keys, byte[][] args, boolean once) {
		return call(CommandType.EVAL, script, keys, args, once);
	}

	private List<Object> call(CommandType type, String script, byte[][] keys, byte[][] args, boolean once) {
		RedisClusterAsyncCommands<byte[], byte[]> commands = commands();
		ScriptReply reply = new ScriptReply();
		try {
			List<Object> values = await(send(commands, reply, type, script, keys, args));
			if (once && reply.isRepeated()) {
				throw new RedisConnectionException(SENT_AGAIN);
			}
			return values;
		}
		catch (RedisCommandExecutionException ex) {
			throw translated((once && reply.isRepeated()) ? new RedisConnectionException(SENT_AGAIN) : ex);
		}
		catch (Exception ex) {
			throw translated(ex);
		}
	}

	private static RedisFuture<List<Object>> send(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptReply reply,
			CommandType type, String script, byte[][] keys, byte[][] args) {
		return commands.dispatch(type, reply,
				new ScriptArguments(reply).add(script).add(keys.length).addKeys(keys).addValues(args));
	}

	private List<Object> await(RedisFuture<List<Object>> reply) {
		return LettuceFutures.awaitOrCancel(reply, this.factory.getTimeout(), TimeUnit.MILLISECONDS);
	}

	private RuntimeException translated(Exception failure) {
		this.onFailure.accept(failure);
		RuntimeException translated = EXCEPTIONS.translate(failure);
		return (translated != null) ? translated : new IllegalStateException(failure);
	}

	private RedisClusterAsyncCommands<byte[], byte[]> commands() {
		RedisClusterAsyncCommands<byte[], byte[]> commands = this.open;
		return (commands != null) ? commands : open(this.failure);
	}

	/**
	 * Opens the connection. Callers that have waited for the attempt of another one share
	 * its failure. With attempts of their own, one behind the other, they would wait for
	 * many timeouts.
	 * @param before the latest failure when the caller came
	 */
	@SuppressWarnings("unchecked")
	private RedisClusterAsyncCommands<byte[], byte[]> open(@Nullable NotConnectedException before) {
		this.opening.lock();
		try {
			RedisClusterAsyncCommands<byte[], byte[]> commands = this.open;
			if (commands != null) {
				return commands;
			}
			NotConnectedException latest = this.failure;
			if (latest != null && latest != before) {
				throw new NotConnectedException(latest);
			}
			try (RedisConnection connection = this.factory.getConnection()) {
				commands = (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
			}
			catch (NotConnectedException ex) {
				this.failure = ex;
				throw ex;
			}
			this.failure = null;
			this.open = commands;
			return commands;
		}
		finally {
			this.opening.unlock();
		}
	}

	/**
	 * Closes the connection. Commands that begin meanwhile wait, and the first of them
	 * opens a new one.
	 * @param close closes the connection of the factory
	 */
	void reset(Runnable close) {
		this.opening.lock();
		try {
			this.open = null;
			close.run();
		}
		finally {
			this.opening.unlock();
		}
	}

}
