package io.locket.sample.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * Redis that the replicas on a machine share. The first replica starts the server as a
 * daemon, which survives the replica. Each replica has a named connection, so the last
 * one stops the server.
 */
final class EmbeddedRedis {

	static final String HOST = "127.0.0.1";

	static final String DIRECTORY = "locket-inventory-redis-";

	private static final String REPLICA = "inventory-replica";

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String EXTERNAL = "run a Redis of your own and start with "
			+ "--inventory.redis=external --spring.data.redis.host=... --spring.data.redis.port=...";

	private static final Log logger = LogFactory.getLog(EmbeddedRedis.class);

	private final int port;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private EmbeddedRedis(int port, RedisClient client, StatefulRedisConnection<String, String> connection) {
		this.port = port;
		this.client = client;
		this.connection = connection;
	}

	/**
	 * Connects to the Redis on a port, or starts one there.
	 * @param port the port
	 * @return the connection
	 */
	static EmbeddedRedis join(int port) {
		return join(port, PATIENCE);
	}

	/**
	 * Connects to the Redis on a port, or starts one there.
	 * @param port the port
	 * @param patience the time after which no further connection is attempted
	 * @return the connection
	 */
	static EmbeddedRedis join(int port, Duration patience) {
		RedisURI uri = RedisURI.builder().withHost(HOST).withPort(port).withTimeout(Duration.ofSeconds(2)).build();
		uri.setClientName(REPLICA);
		RedisClient client = RedisClient.create(uri);
		// A shutdown must not be repeated on a later server.
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		try {
			EmbeddedRedis redis = new EmbeddedRedis(port, client, connect(client, port, patience));
			logger.info("Using Redis on " + HOST + ":" + port);
			return redis;
		}
		catch (RuntimeException ex) {
			client.shutdown(Duration.ZERO, PATIENCE);
			throw ex;
		}
	}

	private static StatefulRedisConnection<String, String> connect(RedisClient client, int port, Duration patience) {
		long start = System.nanoTime();
		Path started = null;
		while (true) {
			try {
				StatefulRedisConnection<String, String> connection = client.connect();
				if (started != null && !started.equals(directory(connection.sync()))) {
					// Another replica was first.
					FileSystemUtils.deleteRecursively(started.toFile());
				}
				return connection;
			}
			catch (RedisException ex) {
				if (System.nanoTime() - start > patience.toNanos()) {
					FileSystemUtils.deleteRecursively((started != null) ? started.toFile() : null);
					throw new IllegalStateException("No Redis responds on port " + port
							+ ". Choose another port with --inventory.redis-port=..., or " + EXTERNAL, ex);
				}
				started = (started != null) ? started : start(port);
				pause();
			}
		}
	}

	/**
	 * Starts a server. It ends if another replica is first and has bound the port.
	 */
	private static synchronized Path start(int port) {
		try {
			Path directory = Files.createTempDirectory(DIRECTORY).toRealPath();
			File executable = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
			new ProcessBuilder(executable.getPath(), "--port", String.valueOf(port), "--bind", HOST, "--daemonize",
					"yes", "--save", "", "--dir", directory.toString(), "--logfile", "redis.log")
				.inheritIO()
				.start();
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The bundled redis-server does not start: " + EXTERNAL, ex);
		}
	}

	private static Path directory(RedisCommands<String, String> commands) {
		return Path.of(commands.configGet("dir").getOrDefault("dir", "/"));
	}

	private boolean isListening() {
		try (Socket socket = new Socket(HOST, this.port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static void pause() {
		try {
			Thread.sleep(100);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Redis starts", ex);
		}
	}

	/**
	 * Leaves the Redis. The last replica stops the server, if a replica has started it.
	 */
	void leave() {
		try {
			RedisCommands<String, String> commands = this.connection.sync();
			Path directory = directory(commands);
			commands.clientSetname("leaving");
			if (!directory.toString().contains(File.separator + DIRECTORY)
					|| commands.clientList().contains(" name=" + REPLICA + " ")) {
				logger.info("Redis on " + HOST + ":" + this.port + " stays up for others");
				return;
			}
			stop(commands);
			FileSystemUtils.deleteRecursively(directory.toFile());
			logger.info("Ended Redis on " + HOST + ":" + this.port + ": no replica is left");
		}
		catch (RedisException ex) {
			logger.info("Redis on " + HOST + ":" + this.port + " had already ended: " + ex);
		}
		finally {
			this.client.shutdown(Duration.ZERO, PATIENCE);
		}
	}

	private void stop(RedisCommands<String, String> commands) {
		try {
			commands.shutdown(false);
		}
		catch (RedisException ex) {
			logger.debug("The server has closed the connection instead of a reply", ex);
		}
		long start = System.nanoTime();
		while (isListening() && System.nanoTime() - start < PATIENCE.toNanos()) {
			pause();
		}
	}

}
