package io.locket.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;

/**
 * Runs scripts, one command a call. A script that the server does not know, after a
 * restart or a fail-over, is sent again in full. Thread-safe.
 */
public final class ScriptRunner {

	private final StringRedisTemplate redis;

	/**
	 * Create a runner.
	 * @param connectionFactory the connections to run scripts on
	 */
	public ScriptRunner(RedisConnectionFactory connectionFactory) {
		this.redis = new StringRedisTemplate(
				Objects.requireNonNull(connectionFactory, "'connectionFactory' must not be null"));
	}

	/**
	 * Return the commands that need no script.
	 * @return the template on the same connections
	 */
	public StringRedisTemplate redis() {
		return this.redis;
	}

	/**
	 * Make a script that answers with a list, of files that stand on one another: Redis
	 * knows no libraries before version 7.
	 * @param owner the class beside which the files are
	 * @param parts the names of the files, without {@code .lua}
	 * @return the script
	 */
	public static RedisScript<List<Object>> script(Class<?> owner, String... parts) {
		return script(Stream.of(parts).map((part) -> new ClassPathResource(part + ".lua", owner)).toList());
	}

	/**
	 * Make a script that answers with a list, of files that stand on one another.
	 * @param parts the files
	 * @return the script
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public static RedisScript<List<Object>> script(List<? extends Resource> parts) {
		String lua = parts.stream().map(ScriptRunner::read).collect(Collectors.joining("\n"));
		return (RedisScript) RedisScript.of(lua, List.class);
	}

	private static String read(Resource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + resource, ex);
		}
	}

	/**
	 * Run a script that may be repeated to its end, which the command timeout bounds. An
	 * interrupt of the thread is meant for somebody else: it stays pending.
	 * @param script the script
	 * @param keys the names of its keys
	 * @param args its arguments
	 * @return its answer
	 */
	public List<Object> run(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		boolean interrupted = false;
		try {
			while (true) {
				interrupted |= Thread.interrupted();
				try {
					return runOnce(script, keys, args);
				}
				catch (RuntimeException ex) {
					if (!Thread.currentThread().isInterrupted()) {
						throw ex;
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

	/**
	 * Run a script that must not be repeated.
	 */
	List<Object> runOnce(RedisScript<List<Object>> script, List<String> keys, Object... args) {
		List<Object> reply = this.redis.execute(script, keys, args);
		Assert.state(reply != null, "A script has no reply inside a pipeline or a Redis transaction");
		return reply;
	}

}
