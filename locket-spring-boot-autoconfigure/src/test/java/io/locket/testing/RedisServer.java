package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Real Redis for tests: the binary that the property {@code locket.test.redis-server}
 * names, else in a container if a Docker engine is available, else the embedded binary.
 * Its data is not persistent unless the arguments say so. It ends with this JVM at the
 * latest.
 */
public final class RedisServer implements AutoCloseable {

	private final RedisProcess process;

	private final int tlsPort;

	private RedisServer(RedisProcess process) {
		this(process, 0);
	}

	private RedisServer(RedisProcess process, int tlsPort) {
		this.process = process;
		this.tlsPort = tlsPort;
	}

	/**
	 * Returns the server that all tests of this JVM share. Tests must not stop it, and
	 * each test uses a namespace of its own.
	 * @return the server
	 */
	public static RedisServer shared() {
		return Shared.INSTANCE;
	}

	/**
	 * Starts a server that a test may freeze, stop and restart.
	 * @param args arguments of {@code redis-server} in addition to the defaults
	 * @return the running server
	 */
	public static RedisServer start(String... args) {
		boolean contained = !EmbeddedRedis.isChosen() && ContainerRedis.isSupported();
		return new RedisServer(contained ? ContainerRedis.start(args) : EmbeddedRedis.start(args));
	}

	/**
	 * Starts the {@code redis-server} that is installed on this machine, version 7 or
	 * later.
	 * @param args arguments of {@code redis-server} in addition to the defaults
	 * @return the running server
	 * @throws IllegalStateException if there is none
	 */
	public static RedisServer startInstalled(String... args) {
		return atLeastVersion7(new RedisServer(EmbeddedRedis.startInstalled(args)));
	}

	/**
	 * Starts the {@code redis-server} that is installed on this machine, version 7 or
	 * later, with a second port for TLS.
	 * @param certificate the certificate of the server and of its clients
	 * @param args arguments of {@code redis-server} in addition to the defaults
	 * @return the running server
	 * @throws IllegalStateException if there is none
	 */
	public static RedisServer startTls(TlsCertificate certificate, String... args) {
		EmbeddedRedis redis = EmbeddedRedis
			.startTls(Stream.of(certificate.serverArguments(), args).flatMap(Stream::of).toArray(String[]::new));
		return atLeastVersion7(new RedisServer(redis, redis.tlsPort()));
	}

	private static RedisServer atLeastVersion7(RedisServer server) {
		String info = server.execute("INFO", "server").toString();
		if (info.contains("redis_version:6.") || info.contains("redis_version:5.")) {
			server.close();
			throw new IllegalStateException("The redis-server of this machine is older than 7");
		}
		return server;
	}

	/**
	 * Starts a server in the network of this machine, for servers that must find one
	 * another.
	 */
	public static RedisServer startBeside(String... args) {
		return new RedisServer(EmbeddedRedis.start(args));
	}

	/**
	 * Returns a namespace that no other test uses.
	 * @return the namespace
	 */
	public static String newNamespace() {
		return "test-" + UUID.randomUUID().toString().substring(0, 13);
	}

	/**
	 * Returns the host.
	 * @return the host
	 */
	public String host() {
		return this.process.host();
	}

	/**
	 * Returns the port, which a restart keeps.
	 * @return the port
	 */
	public int port() {
		return this.process.port();
	}

	/**
	 * Returns the port for TLS, which a restart keeps, or that without TLS if there is
	 * none for TLS.
	 * @return the port to which applications connect
	 */
	public int clientPort() {
		return (this.tlsPort > 0) ? this.tlsPort : port();
	}

	/**
	 * Returns the properties that connect an application to this server.
	 * @return pairs for {@code withPropertyValues}
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=" + host(), "spring.data.redis.port=" + clientPort() };
	}

	/**
	 * Sends a command on a connection of its own.
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
	 * Suspends the server. Connections stay open without replies.
	 */
	public void freeze() {
		this.process.freeze();
	}

	/**
	 * Resumes a frozen server, which then processes the pending commands.
	 */
	public void resume() {
		this.process.resume();
	}

	/**
	 * Kills the server, frozen or not.
	 */
	public void stop() {
		this.process.stop();
	}

	/**
	 * Stops the server if it runs, and starts it again on its port.
	 */
	public void restart() {
		this.process.stop();
		this.process.start();
	}

	@Override
	public void close() {
		this.process.close();
	}

	public RespConnection connect() throws IOException {
		return new RespConnection(host(), port());
	}

	private static final class Shared {

		static final RedisServer INSTANCE = RedisServer.start();

	}

}
