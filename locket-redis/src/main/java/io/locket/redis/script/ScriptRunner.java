package io.locket.redis.script;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.locket.redis.NotConnectedException;
import io.locket.redis.RedisFailure;
import io.locket.redis.ScriptCommands;
import io.locket.redis.SlotRefusal;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;

/**
 * Executor of Lua scripts that sends one command for each call. If the server does not
 * know a script, for example after a restart or a fail-over, the runner sends its full
 * text. Thread-safe.
 */
public final class ScriptRunner {

	private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

	private final ScriptCommands commands;

	private final StringRedisTemplate redis;

	private final long patience;

	private final LongSupplier nanoTime = System::nanoTime;

	/**
	 * Creates a runner.
	 * @param connectionFactory the factory of the connections that run scripts
	 * @param patience the time for which a script is repeated whose connection was reset,
	 * or that a cluster refuses because its slot moves or is not served
	 */
	public ScriptRunner(RedisConnectionFactory connectionFactory, Duration patience) {
		Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null");
		this.commands = (connectionFactory instanceof ScriptCommands shared) ? shared
				: new PlainScriptCommands(connectionFactory);
		this.redis = new StringRedisTemplate(connectionFactory);
		this.patience = Objects.requireNonNull(patience, "'patience' must not be null").toNanos();
	}

	/**
	 * Returns the template for commands outside of scripts.
	 * @return the template, which uses the same connections
	 */
	public StringRedisTemplate redis() {
		return this.redis;
	}

	/**
	 * Creates a script that replies with a list from files that build on one another.
	 * Files are combined because Redis has no libraries before version 7. They are read
	 * when the script is used for the first time.
	 * @param owner the class in whose package the files are
	 * @param parts the names of the files, without {@code .lua}
	 * @return the script
	 */
	public static RedisScript<List<Object>> script(Class<?> owner, String... parts) {
		return script(Stream.of(parts).map((part) -> new ClassPathResource(part + ".lua", owner)).toList());
	}

	/**
	 * Creates a script that replies with a list from files that build on one another. The
	 * files are read when the script is used for the first time.
	 * @param parts the files
	 * @return the script
	 */
	public static RedisScript<List<Object>> script(List<? extends Resource> parts) {
		return new LuaScript(() -> LuaSource.of(parts));
	}

	/**
	 * Runs a script that may be repeated, even if the thread is interrupted. The command
	 * timeout bounds each try, and {@code patience} the repetition after a reset of the
	 * connection and while a cluster moves the slot. An interrupt does not end the call
	 * and stays pending for the caller.
	 * @param script the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @return the reply
	 */
	public List<Object> run(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		return run(this.patience, () -> texts(runRaw(script, keys, args)));
	}

	/**
	 * Runs a script as {@link #run} does if its arguments or its reply contain binary
	 * data.
	 * @param script the script
	 * @param keys the names of the keys
	 * @param args the arguments, each a text or a {@code byte[]}
	 * @return the reply, with every text as a {@code byte[]}
	 */
	public List<Object> runBinary(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		return run(this.patience, () -> runRaw(script, keys, args));
	}

	/**
	 * Runs a script as {@link #run} does, but does not repeat it after a reset and while
	 * a slot moves. The caller repeats it.
	 * @param script the script
	 * @param keys the names of the keys
	 * @param args the arguments
	 * @return the reply
	 */
	public List<Object> runWithoutRetry(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		return run(0, () -> texts(runRaw(script, keys, args)));
	}

	/**
	 * Sends a script that the server is expected to know, without waiting for the reply.
	 * A failure is not repeated.
	 * @param script the script
	 * @param keys the names of the keys
	 * @param args the arguments, each a text or a {@code byte[]}
	 * @return the reply, with every text as a {@code byte[]}; or {@code null} if there is
	 * no connection that can be used so
	 */
	public @Nullable CompletionStage<List<Object>> send(RedisScript<List<Object>> script, List<String> keys,
			Object... args) {
		return this.commands.sendSha(script.getSha1(), bytes(keys), bytes(args));
	}

	private List<Object> run(long patience, Supplier<List<Object>> call) {
		long startedAt = this.nanoTime.getAsLong();
		long pause = FIRST_PAUSE;
		boolean interrupted = false;
		boolean reset = false;
		try {
			while (true) {
				interrupted |= Thread.interrupted();
				try {
					return call.get();
				}
				catch (RuntimeException ex) {
					if (!Thread.currentThread().isInterrupted()) {
						if (this.nanoTime.getAsLong() - startedAt + pause > patience || !isTemporary(ex)) {
							throw (interrupted || reset) ? sent(ex) : ex;
						}
						reset |= RedisFailure.isReset(ex);
						interrupted |= isInterruptedIn(pause);
						pause = Math.min(2 * pause, LONGEST_PAUSE);
					}
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static boolean isTemporary(RuntimeException failure) {
		return RedisFailure.isReset(failure) || SlotRefusal.isCause(failure);
	}

	private static boolean isInterruptedIn(long pause) {
		try {
			TimeUnit.NANOSECONDS.sleep(pause);
			return false;
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	/**
	 * Returns the failure of a repetition after an interrupt or a reset. An earlier try
	 * may have been executed, so a missing connection is not reported as such.
	 */
	private static RuntimeException sent(RuntimeException ex) {
		return (ex instanceof NotConnectedException)
				? new RedisConnectionFailureException(String.valueOf(ex.getMessage()), ex) : ex;
	}

	/**
	 * Runs a script that must not be repeated, because its reply would be another one. A
	 * driver may send a command again after its connection was closed before the reply.
	 * With Locket's own connections, this counts as no reply.
	 * @param script the script
	 * @param keys the keys
	 * @param args the arguments
	 * @return the reply
	 */
	public List<Object> runOnce(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		return texts(evaluate(script, bytes(keys), bytes(args), true));
	}

	private List<Object> runRaw(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		return evaluate(script, bytes(keys), bytes(args), false);
	}

	private static byte[][] bytes(List<String> keys) {
		byte[][] names = new byte[keys.size()][];
		for (int i = 0; i < names.length; i++) {
			names[i] = bytes(keys.get(i));
		}
		return names;
	}

	private static byte[][] bytes(Object[] args) {
		byte[][] values = new byte[args.length][];
		for (int i = 0; i < values.length; i++) {
			values[i] = (args[i] instanceof byte[] bytes) ? bytes : bytes(args[i].toString());
		}
		return values;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private List<Object> evaluate(RedisScript<List<Object>> script, byte[][] keys, byte[][] args, boolean once) {
		List<Object> reply;
		try {
			reply = this.commands.evalSha(script.getSha1(), keys, args, once);
		}
		catch (RuntimeException ex) {
			if (!isUnknownScript(ex)) {
				throw ex;
			}
			reply = this.commands.eval(script.getScriptAsString(), keys, args, once);
		}
		Assert.state(reply != null,
				"Scripts must not be run inside a pipeline or a Redis transaction, where they have no reply");
		return reply;
	}

	private static boolean isUnknownScript(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().contains("NOSCRIPT")) {
				return true;
			}
		}
		return false;
	}

	private static List<Object> texts(List<?> reply) {
		List<Object> values = new ArrayList<>(reply.size());
		for (Object value : reply) {
			values.add(text(value));
		}
		return values;
	}

	private static @Nullable Object text(@Nullable Object value) {
		if (value instanceof byte[] bytes) {
			return new String(bytes, StandardCharsets.UTF_8);
		}
		return (value instanceof List<?> nested) ? texts(nested) : value;
	}

}
