package io.locket.benchmarks.redis;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statistics of commands as Redis counts them ({@code INFO commandstats}). Redis counts a
 * command inside a script twice: under its own name and in the time of the script.
 */
public final class CommandStats {

	private static final Pattern LINE = Pattern.compile("cmdstat_([^:|]+)[^:]*:calls=(\\d+),usec=(\\d+)");

	private static final Set<String> SCRIPTS = Set.of("evalsha", "eval", "fcall");

	private final Map<String, long[]> byCommand = new LinkedHashMap<>();

	private CommandStats(String info) {
		Matcher matcher = LINE.matcher(info);
		while (matcher.find()) {
			long[] sums = this.byCommand.computeIfAbsent(matcher.group(1), (name) -> new long[2]);
			sums[0] += Long.parseLong(matcher.group(2));
			sums[1] += Long.parseLong(matcher.group(3));
		}
	}

	static CommandStats of(String info) {
		return new CommandStats(info);
	}

	/**
	 * Returns the time of scripts and of some other commands.
	 * @param direct the commands, in lower case, that clients send beside scripts
	 * @return microseconds
	 */
	public long micros(Set<String> direct) {
		return sum(1, direct);
	}

	/**
	 * Returns the number of scripts and of some other commands.
	 * @param direct the commands, in lower case, that clients send beside scripts
	 * @return the number
	 */
	public long calls(Set<String> direct) {
		return sum(0, direct);
	}

	private long sum(int column, Set<String> direct) {
		return this.byCommand.entrySet()
			.stream()
			.filter((entry) -> SCRIPTS.contains(entry.getKey()) || direct.contains(entry.getKey()))
			.mapToLong((entry) -> entry.getValue()[column])
			.sum();
	}

}
