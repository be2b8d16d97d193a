package io.locket.sample.redis;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * A redis-server that was started as a daemon: it belongs to no terminal and to no
 * replica, so it survives the death of the one that started it. Everything it writes is
 * in a directory of its own, by whose name it is known.
 */
final class RedisDaemon {

	private static final String DIRECTORY_PREFIX = "locket-inventory-redis-";

	private static final String LOG = "redis.log";

	private static final Log logger = LogFactory.getLog(RedisDaemon.class);

	private final Path directory;

	private RedisDaemon(Path directory) {
		this.directory = directory;
	}

	/**
	 * Start a server. It may still fail to get the port: then its log says so.
	 * @param port the port
	 * @return the server
	 */
	static RedisDaemon start(int port) {
		return start(port, null);
	}

	// One at a time: a process forked while another thread writes the executable keeps it
	// busy.
	static synchronized RedisDaemon start(int port, @Nullable ExecutableProvider executable) {
		if (File.separatorChar == '\\') {
			throw new EmbeddedRedisException("The embedded Redis is a daemon, which Windows does not know");
		}
		Path directory = null;
		try {
			directory = Files.createTempDirectory(DIRECTORY_PREFIX).toRealPath();
			ExecutableProvider provider = (executable != null) ? executable
					: ExecutableProvider.newJarResourceProvider(directory.toFile());
			launch(provider.get(), port, directory);
			return new RedisDaemon(directory);
		}
		catch (IOException | RuntimeException ex) {
			if (directory != null) {
				delete(directory);
			}
			throw (ex instanceof EmbeddedRedisException embedded) ? embedded
					: new EmbeddedRedisException("The bundled redis-server did not start: " + ex, ex);
		}
	}

	private static void launch(File executable, int port, Path directory) throws IOException {
		Path output = directory.resolve("start.log");
		Process process = new ProcessBuilder(executable.getPath(), "--port", String.valueOf(port), "--bind",
				EmbeddedRedis.HOST, "--daemonize", "yes", "--save", "", "--appendonly", "no", "--dir",
				directory.toString(), "--pidfile", directory.resolve("redis.pid").toString(), "--logfile",
				directory.resolve(LOG).toString())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			if (!process.waitFor(10, TimeUnit.SECONDS)) {
				process.destroyForcibly();
				throw new EmbeddedRedisException("The bundled redis-server did not become a daemon within 10 s");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new EmbeddedRedisException("Interrupted while the bundled redis-server started", ex);
		}
		if (process.exitValue() != 0) {
			throw new EmbeddedRedisException("The bundled redis-server did not start (exit code " + process.exitValue()
					+ "): " + Files.readString(output).strip());
		}
	}

	/**
	 * Return whether a directory is that of a server which this sample started.
	 * @param directory the directory
	 * @return {@code true} for {@code locket-inventory-redis-...} in the directory for
	 * temporary files
	 */
	static boolean owns(Path directory) {
		Path name = directory.getFileName();
		return name != null && name.toString().startsWith(DIRECTORY_PREFIX);
	}

	/**
	 * Delete the directory of a server that has ended, or that is about to end since it
	 * did not get its port.
	 * @param directory the directory
	 */
	static void delete(Path directory) {
		if (!owns(directory)) {
			return;
		}
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			logger.info("Left " + directory + " behind: " + ex);
		}
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Return the end of the server's log.
	 * @return the last lines
	 */
	String logTail() {
		Path log = this.directory.resolve(LOG);
		try {
			List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
			return String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - 5), lines.size()));
		}
		catch (IOException ex) {
			return "(" + log + " cannot be read: " + ex + ")";
		}
	}

}
