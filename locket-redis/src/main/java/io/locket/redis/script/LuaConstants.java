package io.locket.redis.script;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Constants of a script, written in place of their names. A constant is a local variable
 * of the outermost level with an upper-case name, and a number, a text, texts that are
 * joined, a key or an argument for its value. Each variable that a function uses makes
 * every later function slower to build, and Redis builds all of them in each call.
 */
final class LuaConstants {

	private static final Pattern DEFINITION = Pattern.compile("local ([A-Z][A-Z0-9_]*) = (.+)");

	private static final String TEXT = "'(?:\\\\.|[^'\\\\])*'";

	private static final Pattern JOIN = Pattern.compile("(" + TEXT + ") \\.\\. (" + TEXT + ")");

	private static final Pattern LITERAL = Pattern.compile("-?\\d[\\de.]*|" + TEXT + "|(?:KEYS|ARGV)\\[\\d+\\]");

	private final Map<String, String> values = new HashMap<>();

	private LuaConstants() {
	}

	/**
	 * Returns a script without the names of its constants.
	 */
	static String inline(String lua) {
		LuaConstants constants = new LuaConstants();
		StringBuilder script = new StringBuilder();
		lua.lines().map(constants::line).forEach(script::append);
		return script.toString();
	}

	private String line(String line) {
		String written = withValues(line);
		Matcher definition = DEFINITION.matcher(written);
		if (!definition.matches()) {
			return written + "\n";
		}
		String value = joined(definition.group(2));
		if (!LITERAL.matcher(value).matches()) {
			this.values.remove(definition.group(1));
			return written + "\n";
		}
		this.values.put(definition.group(1), value);
		return "";
	}

	private String withValues(String line) {
		StringBuilder written = new StringBuilder();
		int copied = 0;
		LuaWords words = new LuaWords(line);
		while (words.next()) {
			String value = (words.isField() || words.isAssigned()) ? null : this.values.get(words.word());
			if (value != null) {
				written.append(line, copied, words.start()).append(value);
				copied = words.end();
			}
		}
		return (copied > 0) ? written.append(line, copied, line.length()).toString() : line;
	}

	private static String joined(String value) {
		Matcher join = JOIN.matcher(value);
		while (join.lookingAt()) {
			value = join.replaceFirst((texts) -> Matcher.quoteReplacement(
					texts.group(1).substring(0, texts.group(1).length() - 1) + texts.group(2).substring(1)));
			join = JOIN.matcher(value);
		}
		return value;
	}

}
