package io.locket.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Counter of the commands that clients send to a server, without those inside scripts. It
 * monitors all clients of the server, so an exact count of everything needs a server of
 * its own. {@link #commandsMentioning} counts the commands of one namespace on a shared
 * server. Administrative commands such as {@code CLIENT} and {@code HELLO} are not
 * counted.
 */
public final class CommandCounter implements AutoCloseable {

	/**
	 * For example {@code 1763.5 [0 127.0.0.1:4711] "evalsha" "6b1b..." "1" "{ns}:key"}.
	 */
	private static final Pattern LINE = Pattern.compile("^[0-9.]+ \\[\\d+ (.+?)] \"([^\"]*)\".*", Pattern.DOTALL);

	private final RespConnection monitor;

	private final RespConnection own;

	private final List<Command> commands = new ArrayList<>();

	private final List<String> inner = new ArrayList<>();

	private String ownAddress = "";

	private CommandCounter(RespConnection monitor, RespConnection own) {
		this.monitor = monitor;
		this.own = own;
	}

	/**
	 * Starts to count.
	 * @param server the server
	 * @return the running counter
	 */
	public static CommandCounter on(RedisServer server) {
		try {
			CommandCounter counter = new CommandCounter(server.connect(), server.connect());
			counter.monitor.execute("MONITOR");
			counter.reset();
			return counter;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Resets the count.
	 */
	public void reset() {
		synchronized (this.commands) {
			catchUp();
			this.commands.clear();
			this.inner.clear();
		}
	}

	/**
	 * Returns the commands that Redis has executed until now.
	 * @return their names in upper case and in their order
	 */
	public List<String> commands() {
		return names((command) -> true);
	}

	/**
	 * Returns the commands executed until now that have a text in one of their arguments.
	 * @param text the text, such as a namespace
	 * @return their names in upper case and in their order
	 */
	public List<String> commandsMentioning(String text) {
		return names((command) -> command.line().contains(text));
	}

	/**
	 * Returns the commands that scripts have executed until now.
	 * @return their names in upper case and in their order
	 */
	public List<String> innerCommands() {
		synchronized (this.commands) {
			catchUp();
			return List.copyOf(this.inner);
		}
	}

	/**
	 * Returns the number of executions of each command until now.
	 * @return the counts by name in upper case
	 */
	public Map<String, Integer> counts() {
		return commands().stream().collect(Collectors.toMap((name) -> name, (name) -> 1, Integer::sum, TreeMap::new));
	}

	private List<String> names(Predicate<Command> filter) {
		synchronized (this.commands) {
			catchUp();
			return this.commands.stream().filter(filter).map(Command::name).toList();
		}
	}

	/**
	 * Waits for the counter's own sentinel command. Redis reports commands to a monitor
	 * in the order of execution, so all earlier commands have then been reported.
	 */
	private void catchUp() {
		try {
			String sentinel = UUID.randomUUID().toString();
			this.own.execute("ECHO", sentinel);
			boolean seen = false;
			while (!seen) {
				seen = add(String.valueOf(this.monitor.read()), sentinel);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private boolean add(String line, String sentinel) {
		Matcher matcher = LINE.matcher(line);
		if (!matcher.matches()) {
			throw new IllegalStateException("Not a line of MONITOR: " + line);
		}
		String client = matcher.group(1);
		if (line.contains(sentinel)) {
			this.ownAddress = client;
			return true;
		}
		if (client.equals("lua")) {
			this.inner.add(matcher.group(2).toUpperCase(Locale.ROOT));
		}
		else if (!client.equals(this.ownAddress) && !"HELLO".equalsIgnoreCase(matcher.group(2))) {
			this.commands.add(new Command(matcher.group(2).toUpperCase(Locale.ROOT), line));
		}
		return false;
	}

	/**
	 * Returns the counted lines of the monitor, for a message.
	 * @return the lines
	 */
	public List<String> lines() {
		synchronized (this.commands) {
			catchUp();
			return this.commands.stream().map(Command::line).toList();
		}
	}

	@Override
	public void close() {
		try (this.monitor; this.own) {
			this.commands.clear();
			this.inner.clear();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Command(String name, String line) {
	}

}
