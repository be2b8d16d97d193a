package io.locket.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

import io.locket.redis.ScriptCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Script commands of any connection factory, with a connection for each command. A script
 * may reply with a single value. Drivers other than Lettuce do not return it as a list.
 *
 * @param connectionFactory the factory
 */
record PlainScriptCommands(RedisConnectionFactory connectionFactory) implements ScriptCommands {

	private static final String JEDIS = "org.springframework.data.redis.connection.jedis.";

	@Override
	public @Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args, boolean once) {
		return call((commands, type) -> commands.evalSha(digest, type, keys.length, joined(keys, args)));
	}

	@Override
	public @Nullable List<Object> eval(String script, byte[][] keys, byte[][] args, boolean once) {
		return call((commands, type) -> commands.eval(script.getBytes(StandardCharsets.UTF_8), type, keys.length,
				joined(keys, args)));
	}

	@SuppressWarnings("unchecked")
	private @Nullable List<Object> call(BiFunction<RedisScriptingCommands, ReturnType, @Nullable Object> command) {
		RedisConnection connection = this.connectionFactory.getConnection();
		try {
			Object reply = command.apply(connection.scriptingCommands(), typeOf(connection));
			return (reply == null || reply instanceof List) ? (List<Object>) reply : List.of(reply);
		}
		finally {
			connection.close();
		}
	}

	/**
	 * Returns the type of a reply of any shape. Connections of Jedis, which need not be
	 * on the class path, fail with {@code MULTI} if the reply is no list.
	 */
	private static ReturnType typeOf(RedisConnection connection) {
		return connection.getClass().getName().startsWith(JEDIS) ? ReturnType.VALUE : ReturnType.MULTI;
	}

	private static byte[][] joined(byte[][] keys, byte[][] args) {
		byte[][] all = Arrays.copyOf(keys, keys.length + args.length);
		System.arraycopy(args, 0, all, keys.length, args.length);
		return all;
	}

}
