package io.locket.queue.redis;

import java.util.List;
import java.util.function.Supplier;

import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseKeys;
import io.locket.lease.ScriptRunner;
import io.locket.queue.QueueUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Runs the scripts of the queue, and says what went wrong when Redis gives no answer.
 * Thread-safe.
 */
final class QueueCommands {

	private final QueueKeys keys;

	private final ScriptRunner runner;

	QueueCommands(LeaseConnections connections, LeaseKeys keys) {
		this.keys = new QueueKeys(keys);
		this.runner = new ScriptRunner(connections.shared());
	}

	QueueKeys keys() {
		return this.keys;
	}

	StringRedisTemplate redis() {
		return this.runner.redis();
	}

	/**
	 * Run a script that may be repeated.
	 * @param what what it does, to end "gave no answer to" with
	 * @param script the script
	 * @param args its arguments behind those that every script has
	 * @return its answer
	 */
	List<Object> run(String what, RedisScript<List<Object>> script, List<?> args) {
		Object[] all = new Object[2 + args.size()];
		all[0] = this.keys.prefix();
		all[1] = this.keys.registryKey();
		for (int i = 0; i < args.size(); i++) {
			all[2 + i] = args.get(i);
		}
		return ask(what, () -> this.runner.run(script, this.keys.all(), all));
	}

	<T extends @Nullable Object> T ask(String what, Supplier<T> question) {
		try {
			return question.get();
		}
		catch (QueueUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw QueueFailures.of(what, ex);
		}
	}

}
