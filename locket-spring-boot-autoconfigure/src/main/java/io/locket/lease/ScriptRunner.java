package io.locket.lease;

import java.util.List;
import java.util.Objects;

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
	 * Make a script of Lua that answers with a list.
	 * @param lua the text of the script
	 * @return the script
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public static RedisScript<List<Object>> script(String lua) {
		return (RedisScript) RedisScript.of(lua, List.class);
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
