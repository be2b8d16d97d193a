package io.locket.sample.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * This replica's membership in the Redis that the replicas on a machine share. A member
 * holds a named connection for as long as it lives, so that the one which leaves knows
 * whether it is the last and ends the server.
 */
final class EmbeddedRedis {

	static final String HOST = "127.0.0.1";

	private static final String MEMBER = "inventory-replica-";

	private static final String LEAVING = "inventory-leaving";

	private static final String JOINS = "inventory:joins";

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Duration NEXT_ATTEMPT = Duration.ofSeconds(4);

	private static final Duration ANSWER = Duration.ofSeconds(4);

	private static final Log logger = LogFactory.getLog(EmbeddedRedis.class);

	private final RedisClient client;

	private final RedisURI uri;

	private @Nullable StatefulRedisConnection<String, String> membership;

	private EmbeddedRedis(int port) {
		this.uri = RedisURI.builder().withHost(HOST).withPort(port).withTimeout(Duration.ofSeconds(2)).build();
		this.client = RedisClient.create();
	}

	/**
	 * Become a member of the Redis on a port. If none answers there, start one; if
	 * another replica does the same at the same moment, the port decides, and both use
	 * the winner.
	 * @param port the port
	 * @return the membership
	 */
	static EmbeddedRedis join(int port) {
		EmbeddedRedis redis = new EmbeddedRedis(port);
		try {
			redis.join();
			return redis;
		}
		catch (RuntimeException ex) {
			redis.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
			throw ex;
		}
	}

	private void join() {
		List<RedisDaemon> started = new ArrayList<>();
		try {
			this.membership = join(started);
		}
		finally {
			Path directory = (this.membership != null) ? serverDirectory(connection().sync()) : null;
			started.removeIf((daemon) -> daemon.directory().equals(directory));
			started.forEach((daemon) -> RedisDaemon.delete(daemon.directory()));
		}
		logger.info("Using Redis on " + HOST + ":" + this.uri.getPort());
	}

	private StatefulRedisConnection<String, String> join(List<RedisDaemon> started) {
		Deadline deadline = new Deadline(PATIENCE);
		Deadline attempt = new Deadline(Duration.ZERO);
		Deadline answer = new Deadline(PATIENCE);
		RedisException failure = null;
		while (!deadline.hasPassed() && !answer.hasPassed()) {
			if (isListening()) {
				try {
					return connectAsMember();
				}
				catch (RedisException ex) {
					answer = (failure != null) ? answer : new Deadline(ANSWER);
					failure = ex;
				}
			}
			else if (attempt.hasPassed()) {
				started.add(RedisDaemon.start(this.uri.getPort()));
				attempt = new Deadline(NEXT_ATTEMPT);
			}
			pause();
		}
		if (failure != null) {
			throw new EmbeddedRedisException(
					"Port " + this.uri.getPort()
							+ " is taken by something that does not answer as a Redis without a password: " + failure,
					failure);
		}
		throw new EmbeddedRedisException(
				"The bundled redis-server started, but does not answer: " + started.get(started.size() - 1).logTail());
	}

	private StatefulRedisConnection<String, String> connectAsMember() {
		RedisURI named = RedisURI.builder(this.uri)
			.withClientName(MEMBER + ProcessHandle.current().pid() + "-" + UUID.randomUUID())
			.build();
		StatefulRedisConnection<String, String> connection = this.client.connect(named);
		try {
			// A replica that leaves watches this key: a join in between stops its
			// shutdown.
			connection.sync().incr(JOINS);
			return connection;
		}
		catch (RedisException ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * End the membership, and the server too if this was its last member and it is one
	 * that this sample started.
	 */
	void leave() {
		try {
			connection().sync().clientSetname(LEAVING);
			connection().close();
			// No reconnect: a shutdown must not be sent again to a server that came
			// later.
			this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
			try (StatefulRedisConnection<String, String> connection = this.client.connect(this.uri)) {
				endIfLast(connection);
			}
		}
		catch (RedisException ex) {
			logger.info("Redis on " + HOST + ":" + this.uri.getPort() + " was gone before this replica: " + ex);
		}
		finally {
			this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		}
	}

	private void endIfLast(StatefulRedisConnection<String, String> connection) {
		RedisCommands<String, String> commands = connection.sync();
		Path directory = serverDirectory(commands);
		commands.watch(JOINS);
		if (directory == null || commands.clientList().contains(" name=" + MEMBER)) {
			logger.info("Redis on " + HOST + ":" + this.uri.getPort() + " goes on for others");
			return;
		}
		commands.multi();
		commands.shutdown(false);
		RedisFuture<TransactionResult> end = connection.async().exec();
		try {
			end.await(2, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (isListening()) {
			logger.info("Redis on " + HOST + ":" + this.uri.getPort() + " goes on for a replica that just came");
			return;
		}
		RedisDaemon.delete(directory);
		logger.info("Ended Redis on " + HOST + ":" + this.uri.getPort() + ": no replica is left");
	}

	/**
	 * Return the directory of a server that this sample started.
	 * @param commands a connection to the server
	 * @return the directory, or {@code null} if somebody else started it
	 */
	private @Nullable Path serverDirectory(RedisCommands<String, String> commands) {
		String value = commands.configGet("dir").get("dir");
		Path directory = (value != null) ? Path.of(value) : null;
		return (directory != null && RedisDaemon.owns(directory)) ? directory : null;
	}

	private StatefulRedisConnection<String, String> connection() {
		StatefulRedisConnection<String, String> connection = this.membership;
		if (connection == null) {
			throw new IllegalStateException("Not a member");
		}
		return connection;
	}

	private boolean isListening() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(HOST, this.uri.getPort()), 1000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static void pause() {
		try {
			Thread.sleep(30);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EmbeddedRedisException("Interrupted while Redis started", ex);
		}
	}

	/**
	 * A point in time by the monotonic clock.
	 */
	private static final class Deadline {

		private final long nanos;

		Deadline(Duration in) {
			this.nanos = System.nanoTime() + in.toNanos();
		}

		boolean hasPassed() {
			return System.nanoTime() - this.nanos >= 0;
		}

	}

}
