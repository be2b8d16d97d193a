package io.locket.benchmarks.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands that a server processes, those inside scripts told apart ({@code MONITOR}).
 * Slows the server down, so it serves counting and no timing.
 */
public final class CommandMonitor implements AutoCloseable {

	private static final Pattern LINE = Pattern.compile("^\\+[\\d.]+ \\[\\d+ (\\S+)] \"(\\w+)\"(?: \"([^\"]*))?");

	private final Socket socket;

	private final Thread reader;

	private final List<Command> ofClients = new CopyOnWriteArrayList<>();

	private final List<Command> ofScripts = new CopyOnWriteArrayList<>();

	/**
	 * Starts to collect.
	 * @param redis the server
	 */
	public CommandMonitor(BenchmarkRedis redis) {
		try {
			this.socket = new Socket(redis.host(), redis.port());
			this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.reader = new Thread(this::read, "monitor");
		this.reader.setDaemon(true);
		this.reader.start();
	}

	private void read() {
		try {
			BufferedReader lines = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
			lines.lines().forEach(this::add);
		}
		catch (IOException | UncheckedIOException ex) {
			if (!this.socket.isClosed()) {
				throw new IllegalStateException("The monitor lost its connection", ex);
			}
		}
	}

	private void add(String line) {
		Matcher matcher = LINE.matcher(line);
		if (matcher.find()) {
			boolean script = "lua".equals(matcher.group(1));
			(script ? this.ofScripts : this.ofClients)
				.add(new Command(matcher.group(2).toLowerCase(), Objects.requireNonNullElse(matcher.group(3), "")));
		}
	}

	/**
	 * Returns the commands that clients have sent.
	 * @return the commands
	 */
	public List<Command> ofClients() {
		return this.ofClients;
	}

	/**
	 * Returns the commands that scripts have called.
	 * @return the commands
	 */
	public List<Command> ofScripts() {
		return this.ofScripts;
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A command.
	 *
	 * @param name its name in lower case
	 * @param first its first argument, usually a key, or an empty text
	 */
	public record Command(String name, String first) {

	}

}
