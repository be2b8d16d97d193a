package io.locket.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The connections that leases use. They are closed when all who use them are done: the
 * bean that made them and the lease service, which is done after its last lease. They are
 * no {@code RedisConnectionFactory} bean, so that the application's stays the only one.
 */
public final class LeaseConnections implements AutoCloseable {

	private final RedisConnectionFactory shared;

	private final RedisConnectionFactory waiting;

	private final Duration commandTimeout;

	private final Runnable close;

	private final AtomicInteger users = new AtomicInteger(1);

	/**
	 * Create connections with one user, who is done when {@link #close()} is called.
	 * @param shared for all commands but those that wait for replicas
	 * @param waiting for the acquires that wait for replicas, which hold up what comes
	 * after them on their connection
	 * @param commandTimeout how long a command may take
	 * @param close closes the connections
	 */
	public LeaseConnections(RedisConnectionFactory shared, RedisConnectionFactory waiting, Duration commandTimeout,
			Runnable close) {
		this.shared = Objects.requireNonNull(shared, "'shared' must not be null");
		this.waiting = Objects.requireNonNull(waiting, "'waiting' must not be null");
		this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		this.close = Objects.requireNonNull(close, "'close' must not be null");
	}

	/**
	 * Return the connections for all commands.
	 * @return the connections
	 */
	public RedisConnectionFactory shared() {
		return this.shared;
	}

	RedisConnectionFactory waiting() {
		return this.waiting;
	}

	/**
	 * Return how long a command may take on these connections.
	 * @return the command timeout
	 */
	public Duration commandTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Become a user, who has to call {@link #close()} once.
	 * @return these connections
	 */
	public LeaseConnections retain() {
		this.users.incrementAndGet();
		return this;
	}

	@Override
	public void close() {
		if (this.users.decrementAndGet() == 0) {
			this.close.run();
		}
	}

}
