package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * Redis as a child process on a free loopback port, from the binary in the embedded
 * library or the one that is installed on this machine. The system property
 * {@code locket.test.redis-server} names a binary to use instead of the embedded one.
 */
final class EmbeddedRedis implements RedisProcess {

	/**
	 * The binary to use, or {@code null} for the embedded one.
	 */
	private static final String CHOSEN = System.getProperty("locket.test.redis-server");

	private static final int ATTEMPTS = 5;

	/**
	 * The highest port of a server, because the port of the cluster bus is 10,000 higher.
	 */
	private static final int HIGHEST_PORT = 55_535;

	private static final Duration START_TIMEOUT = Duration.ofSeconds(20);

	private static final List<Path> INSTALLED = List.of(Path.of("/usr/bin/redis-server"),
			Path.of("/usr/local/bin/redis-server"), Path.of("/opt/homebrew/bin/redis-server"));

	private final Path binary;

	private final String[] args;

	private final Path directory;

	private final int port;

	private final int tlsPort;

	private Process process;

	private EmbeddedRedis(Path binary, String[] args, int port, int tlsPort) throws IOException {
		this.binary = binary;
		this.args = (tlsPort > 0) ? Stream.concat(Stream.of("--tls-port", String.valueOf(tlsPort)), Stream.of(args))
			.toArray(String[]::new) : args;
		this.port = port;
		this.tlsPort = tlsPort;
		this.directory = Files.createTempDirectory(Home.DIRECTORY, port + "-");
	}

	/**
	 * Returns whether a binary was chosen for the tests.
	 */
	static boolean isChosen() {
		return CHOSEN != null;
	}

	static EmbeddedRedis start(String... args) {
		return start(Home.BINARY, false, args);
	}

	static EmbeddedRedis startInstalled(String... args) {
		return start(installed(), false, args);
	}

	/**
	 * Starts the installed binary with a second port, for TLS.
	 */
	static EmbeddedRedis startTls(String... args) {
		return start(installed(), true, args);
	}

	private static Path installed() {
		return INSTALLED.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no redis-server on this machine. Install Redis 7 or"
					+ " later (Debian, Ubuntu: apt-get install redis-server)"));
	}

	private static EmbeddedRedis start(Path binary, boolean tls, String... args) {
		IllegalStateException failure = new IllegalStateException("Redis did not start");
		for (int i = 0; i < ATTEMPTS; i++) {
			try {
				EmbeddedRedis redis = new EmbeddedRedis(binary, args, freePort(), tls ? freePort() : 0);
				redis.start();
				return redis;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			catch (PortTakenException ex) {
				failure.addSuppressed(ex);
			}
		}
		throw failure;
	}

	@Override
	public String host() {
		return "127.0.0.1";
	}

	@Override
	public int port() {
		return this.port;
	}

	/**
	 * Returns the port for TLS, or 0 if there is none.
	 */
	int tlsPort() {
		return this.tlsPort;
	}

	@Override
	public void start() {
		try {
			List<String> command = Stream
				.concat(Stream.of(this.binary.toString(), configuration().toString(), "--port",
						String.valueOf(this.port), "--bind", host(), "--save", "", "--appendonly", "no"),
						Stream.of(this.args))
				.toList();
			this.process = new ProcessBuilder(command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(output().toFile())
				.start();
			Home.PROCESSES.add(this.process);
			awaitReply();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitReply() throws IOException {
		long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
		while (!replies()) {
			if (System.nanoTime() > deadline) {
				stop();
				throw new IllegalStateException("Redis did not reply: " + Files.readString(output()));
			}
			if (exitedWithin(10)) {
				String output = Files.readString(output());
				if (output.contains("Address already in use")) {
					throw new PortTakenException(output);
				}
				throw new IllegalStateException("Redis ended: " + output);
			}
		}
	}

	/**
	 * Returns whether this process replies and has loaded its data. Another process may
	 * briefly own the port.
	 */
	private boolean replies() {
		try (RespConnection connection = new RespConnection(host(), this.port)) {
			return connection.execute("INFO") instanceof String info
					&& info.contains("process_id:" + this.process.pid() + "\r\n") && !info.contains("loading:1\r\n");
		}
		catch (IOException | IllegalStateException ex) {
			return false;
		}
	}

	private boolean exitedWithin(long millis) {
		try {
			return this.process.waitFor(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void freeze() {
		Signal.STOP.send(this.process);
	}

	@Override
	public void resume() {
		Signal.CONT.send(this.process);
	}

	@Override
	public void stop() {
		this.process.destroyForcibly();
		if (!exitedWithin(10_000)) {
			throw new IllegalStateException("Redis does not end: " + this.process.pid());
		}
		Home.PROCESSES.remove(this.process);
	}

	@Override
	public void close() {
		stop();
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	/**
	 * Returns the file in which a Sentinel stores its state.
	 */
	private Path configuration() throws IOException {
		Path file = this.directory.resolve("redis.conf");
		if (!Files.exists(file)) {
			Files.createFile(file);
		}
		return file;
	}

	private Path output() {
		return this.directory.resolve("redis.log");
	}

	/**
	 * Returns a free port with a valid port for the cluster bus.
	 */
	private static int freePort() throws IOException {
		int port;
		do {
			try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
				port = socket.getLocalPort();
			}
		}
		while (port > HIGHEST_PORT);
		return port;
	}

	/**
	 * The directory of this JVM with the binary in it, and the shutdown hook.
	 */
	private static final class Home {

		static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();

		static final Path DIRECTORY;

		static final Path BINARY;

		static {
			try {
				DIRECTORY = Files.createTempDirectory("locket-redis-");
				BINARY = (CHOSEN != null) ? Path.of(CHOSEN).toAbsolutePath()
						: ExecutableProvider.newJarResourceProvider(DIRECTORY.toFile()).get().toPath().toAbsolutePath();
				Runtime.getRuntime().addShutdownHook(new Thread(Home::end, "locket-redis-end"));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static void end() {
			PROCESSES.forEach(Process::destroyForcibly);
			FileSystemUtils.deleteRecursively(DIRECTORY.toFile());
		}

	}

	/**
	 * Exception for a port that another process took first.
	 */
	private static final class PortTakenException extends RuntimeException {

		PortTakenException(String message) {
			super(message);
		}

	}

}
