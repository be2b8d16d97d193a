package io.locket.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Locket's connections to Redis, which leases, queues and schedules share. They are
 * closed after the last of their users has released them: the bean that created them, the
 * queue with its store, and the lease service, which releases them after its last lease.
 * They are no {@code RedisConnectionFactory} bean, so that the application's factory
 * stays the only one. Thread-safe.
 */
public final class RedisConnections implements AutoCloseable {

	private final RedisConnectionFactory shared;

	private final RedisConnectionFactory waiting;

	private final Duration commandTimeout;

	private final Runnable close;

	private final AtomicInteger users = new AtomicInteger(1);

	/**
	 * Creates connections with one user, which releases them with {@link #close()}.
	 * @param shared the connections for all commands except those that wait for replicas
	 * @param waiting the connections for acquires that wait for replicas, which delay
	 * later commands on their connection
	 * @param commandTimeout the maximum duration of a command
	 * @param close closes the connections
	 */
	public RedisConnections(RedisConnectionFactory shared, RedisConnectionFactory waiting, Duration commandTimeout,
			Runnable close) {
		this.shared = Objects.requireNonNull(shared, "'shared' must not be null");
		this.waiting = Objects.requireNonNull(waiting, "'waiting' must not be null");
		this.commandTimeout = Objects.requireNonNull(commandTimeout, "'commandTimeout' must not be null");
		this.close = Objects.requireNonNull(close, "'close' must not be null");
	}

	/**
	 * Returns the connections for all commands.
	 * @return the connections
	 */
	public RedisConnectionFactory shared() {
		return this.shared;
	}

	/**
	 * Returns the connections for acquires that wait for replicas. Commands behind such
	 * an acquire wait, too.
	 * @return the connections, possibly the shared ones
	 */
	public RedisConnectionFactory forReplicaWaits() {
		return this.waiting;
	}

	/**
	 * Returns the maximum duration of a command on these connections.
	 * @return the command timeout
	 */
	public Duration commandTimeout() {
		return this.commandTimeout;
	}

	/**
	 * Registers a user, which must call {@link #close()} once.
	 * @return these connections
	 */
	public RedisConnections retain() {
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
