package io.locket.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import io.locket.redis.ScriptCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Script commands of any connection factory, with a connection for each command.
 *
 * @param connectionFactory the factory
 */
record PlainScriptCommands(RedisConnectionFactory connectionFactory) implements ScriptCommands {

	@Override
	public @Nullable List<Object> evalSha(String digest, byte[][] keys, byte[][] args, boolean once) {
		return call((commands) -> commands.evalSha(digest, ReturnType.MULTI, keys.length, joined(keys, args)));
	}

	@Override
	public @Nullable List<Object> eval(String script, byte[][] keys, byte[][] args, boolean once) {
		return call((commands) -> commands.eval(script.getBytes(StandardCharsets.UTF_8), ReturnType.MULTI, keys.length,
				joined(keys, args)));
	}

	@SuppressWarnings("unchecked")
	private @Nullable List<Object> call(Function<RedisScriptingCommands, @Nullable Object> command) {
		RedisConnection connection = this.connectionFactory.getConnection();
		try {
			return (List<Object>) command.apply(connection.scriptingCommands());
		}
		finally {
			connection.close();
		}
	}

	private static byte[][] joined(byte[][] keys, byte[][] args) {
		byte[][] all = Arrays.copyOf(keys, keys.length + args.length);
		System.arraycopy(args, 0, all, keys.length, args.length);
		return all;
	}

}
