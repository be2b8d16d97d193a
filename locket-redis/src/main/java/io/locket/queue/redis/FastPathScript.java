package io.locket.queue.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.locket.queue.redis.format.BinaryReply;
import org.jspecify.annotations.Nullable;

/**
 * Cheaper script for common cases, which does nothing in all others, so that another
 * script is called instead. After calls that did nothing it is tried less often, so a
 * queue with few common cases does not pay for two calls. Thread-safe.
 */
final class FastPathScript {

	private static final int LONGEST_PAUSE = 127;

	private final QueueCommands commands;

	private final QueueScript script;

	/**
	 * Number of following calls that skip the script.
	 */
	private final AtomicInteger left = new AtomicInteger();

	private volatile int pause;

	FastPathScript(QueueCommands commands, QueueScript script) {
		this.commands = commands;
		this.script = script;
	}

	/**
	 * Returns whether the next call skips the script, and counts this call.
	 */
	boolean skipsNext() {
		return this.left.get() > 0 && this.left.getAndDecrement() > 0;
	}

	/**
	 * Runs the script.
	 * @param what the operation as a verb phrase, for error messages
	 * @param args the arguments after those that every script has
	 * @return the reply, empty if nothing was done
	 */
	BinaryReply run(String what, List<?> args) {
		return onReply(this.commands.runFastPath(what, this.script, args));
	}

	/**
	 * Sends the script, without waiting for the reply.
	 * @param args the arguments after those that every script has
	 * @return the reply for {@link #onReply}, or {@code null} if the script cannot be
	 * sent so now
	 */
	@Nullable CompletionStage<List<Object>> send(List<?> args) {
		return this.commands.sendFastPath(this.script, args);
	}

	/**
	 * Calls a method that sends the script, and translates its failures.
	 * @param <T> the type of the result
	 * @param what the operation as a verb phrase, for error messages
	 * @param call the call
	 * @return the result
	 */
	<T extends @Nullable Object> T call(String what, Supplier<T> call) {
		return this.commands.call(what, call);
	}

	/**
	 * Handles a reply.
	 * @param reply the reply, empty if nothing was done
	 * @return the reply
	 */
	BinaryReply onReply(BinaryReply reply) {
		if (reply.size() > 0) {
			this.pause = 0;
		}
		else {
			this.pause = Math.min(2 * this.pause + 1, LONGEST_PAUSE);
			this.left.set(this.pause);
		}
		return reply;
	}

}
