package io.locket.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/**
 * A real Redis for tests: in a container where a Docker engine answers, else the embedded
 * binary. Its data is not kept unless the arguments say so. Ends with this JVM at the
 * latest.
 */
public final class RedisServer implements AutoCloseable {

	private final RedisProcess process;

	private RedisServer(RedisProcess process) {
		this.process = process;
	}

	/**
	 * Return the server that all tests of this JVM share. It must be left running, and a
	 * test keeps to a namespace of its own.
	 * @return the server
	 */
	public static RedisServer shared() {
		return Shared.INSTANCE;
	}

	/**
	 * Start a server that a test may freeze, stop and restart.
	 * @param args arguments of {@code redis-server} beside those that Locket gives
	 * @return the running server
	 */
	public static RedisServer start(String... args) {
		return new RedisServer(ContainerRedis.isSupported() ? ContainerRedis.start(args) : EmbeddedRedis.start(args));
	}

	/**
	 * Start a server in the network of this machine, as one of several that have to find
	 * one another.
	 */
	static RedisServer startBeside(String... args) {
		return new RedisServer(EmbeddedRedis.start(args));
	}

	/**
	 * Return a namespace that no other test uses.
	 * @return the namespace
	 */
	public static String newNamespace() {
		return "test-" + UUID.randomUUID().toString().substring(0, 13);
	}

	/**
	 * Return the host to connect to.
	 * @return the host
	 */
	public String host() {
		return this.process.host();
	}

	/**
	 * Return the port to connect to, which a restart keeps.
	 * @return the port
	 */
	public int port() {
		return this.process.port();
	}

	/**
	 * Return the properties that point an application to this server.
	 * @return pairs as {@code withPropertyValues} takes them
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=" + host(), "spring.data.redis.port=" + port() };
	}

	/**
	 * Send one command on a connection of its own.
	 * @param command the command and its arguments
	 * @return a {@code String}, {@code Long}, {@code List} or {@code null}
	 */
	public Object execute(String... command) {
		try (RespConnection connection = connect()) {
			return connection.execute(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Let the server stand still: connections stay open, and nothing answers.
	 */
	public void freeze() {
		this.process.freeze();
	}

	/**
	 * Let a frozen server go on, with what was sent to it meanwhile.
	 */
	public void resume() {
		this.process.resume();
	}

	/**
	 * End the server as a crash would, frozen or not.
	 */
	public void stop() {
		this.process.stop();
	}

	/**
	 * Start the server again on its port, after it was stopped if it runs.
	 */
	public void restart() {
		this.process.stop();
		this.process.start();
	}

	@Override
	public void close() {
		this.process.close();
	}

	RespConnection connect() throws IOException {
		return new RespConnection(host(), port());
	}

	private static final class Shared {

		static final RedisServer INSTANCE = RedisServer.start();

	}

}
