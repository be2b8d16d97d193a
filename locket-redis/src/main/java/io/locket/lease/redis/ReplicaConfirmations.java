package io.locket.lease.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.locket.redis.script.LuaSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Confirmations that replicas have received new leases and claims. Thread-safe.
 * <p>
 * Redis blocks a connection during {@code WAIT}, so confirmations have a connection of
 * their own. One round is under way at a time, and callers that arrive meanwhile share
 * the next one.
 * <p>
 * A round first writes a mark with a script that checks the tokens. It is needed because
 * {@code WAIT} covers the writes before the last one of its own connection. It also
 * detects a connection to another server than the one that granted the lease. The
 * connection must not reconnect by itself: a {@code WAIT} that is repeated on a new
 * connection waits for nothing.
 */
final class ReplicaConfirmations implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReplicaConfirmations.class);

	/**
	 * Maximum idle time of the connection. A firewall may drop it after a longer one.
	 */
	private static final long LONGEST_IDLE = TimeUnit.MINUTES.toNanos(1);

	private static final String SCRIPT = LuaSource
		.of(new ClassPathResource("replicate.lua", ReplicaConfirmations.class));

	private final RedisConnectionFactory connectionFactory;

	private final byte[] mark;

	private final int replicas;

	private final Duration timeout;

	private final LongSupplier nanoTime;

	private final ReentrantLock monitor = new ReentrantLock();

	private final Condition changed = this.monitor.newCondition();

	private Round next = new Round();

	private boolean busy;

	private boolean closed;

	private @Nullable RedisConnection connection;

	private long usedAt;

	ReplicaConfirmations(RedisConnectionFactory connectionFactory, LeaseKeys keys, int replicas, Duration timeout,
			LongSupplier nanoTime) {
		this.connectionFactory = connectionFactory;
		this.mark = bytes(keys.replicated());
		this.replicas = replicas;
		this.timeout = timeout;
		this.nanoTime = nanoTime;
	}

	/**
	 * Waits until the replicas have a lease or a claim, for about the command timeout at
	 * most. An interrupt of the thread stays pending.
	 * @param name the name of the lock or claim
	 * @param token its token
	 * @throws IllegalStateException if too few replicas have it in time, or if the token
	 * no longer holds it
	 */
	void await(String name, String token) {
		long until = this.nanoTime.getAsLong() + this.timeout.toNanos();
		boolean interrupted = Thread.interrupted();
		this.monitor.lock();
		try {
			Round round = this.next;
			int entry = round.add(name, token);
			while (!round.done) {
				if (!this.busy && this.next == round) {
					run(round);
				}
				else {
					interrupted |= pause(until);
				}
			}
			round.check(entry, this.replicas);
		}
		finally {
			this.monitor.unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Waits for a change.
	 * @return whether the thread was interrupted
	 */
	private boolean pause(long until) {
		long left = until - this.nanoTime.getAsLong();
		if (left <= 0) {
			throw new IllegalStateException(
					"The confirmations of other leases (locket.redis.wait-replicas) took too long");
		}
		try {
			this.changed.awaitNanos(left);
			return false;
		}
		catch (InterruptedException ex) {
			logger.trace("Interrupted while waiting for replicas. The wait continues", ex);
			return true;
		}
	}

	/**
	 * Runs a round on the calling thread, without the monitor.
	 */
	private void run(Round round) {
		this.busy = true;
		this.next = new Round();
		this.monitor.unlock();
		try {
			confirm(round);
		}
		catch (RuntimeException ex) {
			round.failure = ex;
			disconnect();
		}
		finally {
			this.monitor.lock();
			this.busy = false;
			round.done = true;
			if (this.closed) {
				disconnect();
			}
			this.changed.signalAll();
		}
	}

	/**
	 * Confirms a round. If its connection was closed, as by a restart or a fail-over
	 * since the last round, the whole round is repeated once on a new one.
	 */
	private void confirm(Round round) {
		RedisAsyncCommands<byte[], byte[]> redis = commands();
		try {
			confirm(round, redis);
		}
		catch (RuntimeException ex) {
			if (isOpen(redis)) {
				throw ex;
			}
			logger.debug("The connection that waits for replicas was closed. A new one repeats the round", ex);
			disconnect();
			confirm(round, commands());
		}
	}

	/**
	 * Returns whether the connection is open. Lettuce deprecates this access to it, but
	 * has no other one.
	 */
	@SuppressWarnings("deprecation")
	private static boolean isOpen(RedisAsyncCommands<?, ?> commands) {
		return commands.getStatefulConnection().isOpen();
	}

	@SuppressWarnings("unchecked")
	private RedisAsyncCommands<byte[], byte[]> commands() {
		if (connect().getNativeConnection() instanceof RedisAsyncCommands<?, ?> commands) {
			return (RedisAsyncCommands<byte[], byte[]>) commands;
		}
		throw new IllegalStateException(
				"locket.redis.wait-replicas needs Lettuce and a Redis that is not a cluster; set it to 0");
	}

	private void confirm(Round round, RedisAsyncCommands<byte[], byte[]> redis) {
		byte[][] names = new byte[round.names.size() + 1][];
		names[0] = this.mark;
		for (int i = 1; i < names.length; i++) {
			names[i] = bytes(round.names.get(i - 1));
		}
		byte[][] tokens = round.tokens.stream().map(ReplicaConfirmations::bytes).toArray(byte[][]::new);
		RedisFuture<List<Object>> held = redis.eval(SCRIPT, ScriptOutputType.MULTI, names, tokens);
		// A caller may wait for two rounds, and must receive its reply before its
		// timeout.
		RedisFuture<Long> reached = redis.waitForReplication(this.replicas,
				Math.max(1, this.timeout.toMillis() * 2 / 5));
		round.held = await(held);
		round.reached = await(reached);
		this.usedAt = this.nanoTime.getAsLong();
	}

	private <T> T await(RedisFuture<T> future) {
		return future.toCompletableFuture().orTimeout(this.timeout.toMillis(), TimeUnit.MILLISECONDS).join();
	}

	private RedisConnection connect() {
		if (this.connection != null && this.nanoTime.getAsLong() - this.usedAt > LONGEST_IDLE) {
			disconnect();
		}
		RedisConnection connected = this.connection;
		if (connected == null) {
			connected = this.connectionFactory.getConnection();
			this.connection = connected;
		}
		return connected;
	}

	private void disconnect() {
		RedisConnection disconnected = this.connection;
		this.connection = null;
		if (disconnected != null) {
			try {
				disconnected.close();
			}
			catch (RuntimeException ex) {
				logger.debug("Could not close the connection that waits for replicas. It is not used any more", ex);
			}
		}
	}

	/**
	 * Closes the connection, after the round that is under way.
	 */
	@Override
	public void close() {
		this.monitor.lock();
		try {
			this.closed = true;
			if (!this.busy) {
				disconnect();
			}
		}
		finally {
			this.monitor.unlock();
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The leases and claims that one {@code WAIT} confirms.
	 */
	private static final class Round {

		private final List<String> names = new ArrayList<>();

		private final List<String> tokens = new ArrayList<>();

		private boolean done;

		private List<Object> held = List.of();

		private long reached;

		private @Nullable RuntimeException failure;

		int add(String name, String token) {
			this.names.add(name);
			this.tokens.add(token);
			return this.names.size() - 1;
		}

		void check(int entry, int replicas) {
			if (this.failure != null) {
				throw new IllegalStateException(
						"Waiting for the replicas (locket.redis.wait-replicas) failed: " + this.failure, this.failure);
			}
			if (this.reached < replicas) {
				throw new IllegalStateException("Only " + this.reached + " of " + replicas
						+ " replicas (locket.redis.wait-replicas) had the lease in time");
			}
			if (!Long.valueOf(1).equals(this.held.get(entry))) {
				throw new IllegalStateException(
						"The lease was lost during the wait for its replicas (locket.redis.wait-replicas)");
			}
		}

	}

}
