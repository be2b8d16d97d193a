package io.locket.benchmarks.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.models.command.CommandDetail;
import io.lettuce.core.models.command.CommandDetailParser;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * A Redis on loopback that lives as long as a run, from the binary that the embedded
 * library carries or from the one that the system property {@code bench.redis} names. It
 * keeps nothing on disk.
 */
public final class BenchmarkRedis implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String SLOW_LOG = "slowlog-log-slower-than";

	private static final String NEVER = "-1";

	private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

	private final Path directory;

	private final Process process;

	private final int port;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> control;

	private BenchmarkRedis(Path directory, Process process, int port) {
		this.directory = directory;
		this.process = process;
		this.port = port;
		this.client = RedisClient.create(RedisURI.create(HOST, port));
		this.control = connectPatiently();
	}

	/**
	 * Starts a server on a free port.
	 * @return the server
	 */
	public static BenchmarkRedis start() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			int port = socket.getLocalPort();
			socket.close();
			Path directory = Files.createTempDirectory("locket-benchmarks-");
			List<String> command = List.of(binary(directory), "--port", String.valueOf(port), "--bind", HOST, "--save",
					"", "--appendonly", "no", "--" + SLOW_LOG, NEVER, "--slowlog-max-len", "100000");
			Process process = new ProcessBuilder(command).directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(directory.resolve("redis.log").toFile())
				.start();
			return new BenchmarkRedis(directory, process, port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String binary(Path directory) throws IOException {
		String own = System.getProperty("bench.redis");
		if (own != null) {
			return own;
		}
		File embedded = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
		return embedded.getAbsolutePath();
	}

	private StatefulRedisConnection<String, String> connectPatiently() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try {
				return this.client.connect();
			}
			catch (RedisConnectionException ex) {
				if (System.nanoTime() > deadline || !waitsLonger()) {
					this.process.destroyForcibly();
					throw ex;
				}
			}
		}
	}

	private boolean waitsLonger() {
		try {
			return !this.process.waitFor(20, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Returns the host.
	 * @return the loopback address
	 */
	public String host() {
		return HOST;
	}

	/**
	 * Returns the port.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Opens a connection of its own.
	 * @return the connection, which ends with this server at the latest
	 */
	public StatefulRedisConnection<String, String> connect() {
		return this.client.connect();
	}

	/**
	 * Opens a connection through a proxy.
	 * @param proxyPort the port of the proxy on loopback
	 * @return the connection, which ends with this server at the latest
	 */
	public StatefulRedisConnection<String, String> connect(int proxyPort) {
		return this.client.connect(RedisURI.create(HOST, proxyPort));
	}

	/**
	 * Returns the version of the server.
	 * @return the version
	 */
	public String version() {
		return field("server", "redis_version");
	}

	/**
	 * Returns the memory that the server uses.
	 * @return bytes
	 */
	public long usedMemory() {
		return Long.parseLong(field("memory", "used_memory"));
	}

	private String field(String section, String name) {
		return this.control.sync()
			.info(section)
			.lines()
			.filter((line) -> line.startsWith(name + ":"))
			.map((line) -> line.substring(name.length() + 1).strip())
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Removes all data.
	 */
	public void clear() {
		this.control.sync().flushall();
	}

	/**
	 * Sets the statistics of commands and the log of slow commands back.
	 */
	public void resetStatistics() {
		this.control.sync().configResetstat();
		this.control.sync().slowlogReset();
	}

	/**
	 * Returns the statistics of commands since they were set back.
	 * @return the statistics
	 */
	public CommandStats statistics() {
		return CommandStats.of(this.control.sync().info("commandstats"));
	}

	/**
	 * Returns the commands that change data or publish messages.
	 * @return the names in lower case
	 */
	public Set<String> writingCommands() {
		return CommandDetailParser.parse(this.control.sync().command())
			.stream()
			.filter((command) -> command.getFlags().contains(CommandDetail.Flag.WRITE)
					|| "publish".equals(command.getName()))
			.map(CommandDetail::getName)
			.collect(Collectors.toSet());
	}

	/**
	 * Returns the CPU time of the process since its start, network included.
	 * @return microseconds
	 */
	public long cpuMicros() {
		return CPU.matcher(this.control.sync().info("cpu"))
			.results()
			.mapToLong((used) -> Math.round(Double.parseDouble(used.group(1)) * 1e6))
			.sum();
	}

	/**
	 * Runs a benchmark with the log of slow commands. It costs a script with many
	 * arguments some percent, so other benchmarks run without it.
	 * @param micros the time from which on a command is logged, in microseconds
	 * @param benchmark the benchmark
	 */
	public void logSlowScripts(int micros, Runnable benchmark) {
		this.control.sync().configSet(SLOW_LOG, String.valueOf(micros));
		try {
			benchmark.run();
		}
		finally {
			this.control.sync().configSet(SLOW_LOG, NEVER);
			this.control.sync().slowlogReset();
		}
	}

	/**
	 * Returns the time of the longest script since the statistics were set back, within
	 * {@link #logSlowScripts}.
	 * @return microseconds, 0 if none was logged
	 */
	public long longestScriptMicros() {
		return this.control.sync()
			.slowlogGet(100_000)
			.stream()
			.map((entry) -> (List<?>) entry)
			.filter((entry) -> String.valueOf(((List<?>) entry.get(3)).get(0)).toLowerCase().startsWith("eval"))
			.mapToLong((entry) -> (Long) entry.get(2))
			.max()
			.orElse(0);
	}

	@Override
	public void close() {
		this.control.close();
		this.client.shutdown(0, 2, TimeUnit.SECONDS);
		this.process.destroy();
		try {
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

}
