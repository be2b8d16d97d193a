package io.locket.queue.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.locket.queue.redis.format.BinaryReply;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * Cheaper script for common cases, which does nothing in all others, so that the general
 * script is called instead. After calls that did nothing it is tried less often, so a
 * queue with few common cases does not pay for two calls. Thread-safe.
 */
final class FastPathScript {

	private static final int LONGEST_PAUSE = 31;

	private final QueueCommands commands;

	private final RedisScript<List<Object>> script;

	/**
	 * Number of following calls that skip the script.
	 */
	private final AtomicInteger left = new AtomicInteger();

	private volatile int pause;

	FastPathScript(QueueCommands commands, RedisScript<List<Object>> script) {
		this.commands = commands;
		this.script = script;
	}

	/**
	 * Runs the script, unless it is skipped now.
	 * @param what the operation as a verb phrase, for error messages
	 * @param args supplies the arguments after those that every script has
	 * @return the reply, or {@code null} if nothing was done
	 */
	@Nullable BinaryReply run(String what, Supplier<List<?>> args) {
		if (this.left.get() > 0 && this.left.getAndDecrement() > 0) {
			return null;
		}
		BinaryReply reply = this.commands.runFastPath(what, this.script, args.get());
		if (reply.size() > 0) {
			this.pause = 0;
			return reply;
		}
		this.pause = Math.min(2 * this.pause + 1, LONGEST_PAUSE);
		this.left.set(this.pause);
		return null;
	}

}
