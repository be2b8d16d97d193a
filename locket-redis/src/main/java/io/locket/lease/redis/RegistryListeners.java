package io.locket.lease.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.redis.SingleServer;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Cached information whether there are subscribers to channels by a pattern, as a
 * {@code RedisLockRegistry} in its publish-subscribe mode is. Such a registry leaves no
 * mark on a key that it waits for, so releases are published while there is a subscriber.
 * One release in each tenth of a second refreshes the information. On a cluster a
 * subscriber may be on any node, so every release is published. Thread-safe.
 */
final class RegistryListeners {

	private static final long LIFETIME = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * Argument of a release if there are no subscribers.
	 */
	static final String NONE = "0";

	private static final String UNKNOWN = "";

	private static final int RELEASED = 1;

	private static final int RELEASED_AND_LISTENING = 2;

	private static final int RELEASED_WITH_REST = 3;

	private final boolean known;

	private final LongSupplier nanoTime;

	private volatile boolean listening = true;

	private volatile long checkedAt;

	RegistryListeners(boolean known, LongSupplier nanoTime) {
		this.known = known;
		this.nanoTime = nanoTime;
		this.checkedAt = nanoTime.getAsLong() - LIFETIME;
	}

	static RegistryListeners of(RedisConnectionFactory connectionFactory) {
		return new RegistryListeners(!SingleServer.isServerOf(connectionFactory), System::nanoTime);
	}

	/**
	 * Returns the argument of a release: {@code 1} if there are subscribers, {@code 0} if
	 * there are none, or empty if the release has to check.
	 */
	String argument() {
		if (this.known) {
			return "1";
		}
		long now = this.nanoTime.getAsLong();
		if (now - this.checkedAt >= LIFETIME) {
			this.checkedAt = now;
			return UNKNOWN;
		}
		return this.listening ? "1" : NONE;
	}

	/**
	 * Records the reply to a release. Only one that checked has found out, and only if it
	 * freed its key. Otherwise the next release checks.
	 * @param argument the argument of the release
	 * @param reply the reply
	 * @return the reply without the information about subscribers
	 */
	int onReply(String argument, int reply) {
		boolean freed = reply == RELEASED || reply == RELEASED_AND_LISTENING;
		if (argument.equals(UNKNOWN)) {
			if (freed) {
				this.listening = reply == RELEASED_AND_LISTENING;
			}
			else {
				this.checkedAt = this.nanoTime.getAsLong() - LIFETIME;
			}
		}
		return (freed || reply == RELEASED_WITH_REST) ? RELEASED : reply;
	}

}
