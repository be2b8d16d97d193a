package io.locket.benchmarks.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

import org.springframework.core.io.ClassPathResource;

/**
 * A script that does the least of a kind of work, called by its digest.
 */
public final class FloorScript {

	private final StatefulRedisConnection<String, String> connection;

	private final String digest;

	/**
	 * Loads a script into a server.
	 * @param connection the connection to call it on, shared by all threads
	 * @param name the name of the file without its ending
	 */
	public FloorScript(StatefulRedisConnection<String, String> connection, String name) {
		this.connection = connection;
		try {
			this.digest = connection.sync()
				.scriptLoad(new ClassPathResource("io/locket/benchmarks/floor/" + name + ".lua")
					.getContentAsString(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Calls the script.
	 * @param output the type of the reply
	 * @param keys the keys
	 * @param args the arguments
	 * @param <T> the type of the reply
	 * @return the reply
	 */
	public <T> T call(ScriptOutputType output, String[] keys, String... args) {
		return this.connection.sync().evalsha(this.digest, output, keys, args);
	}

}
