package io.locket.redis.script;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * Source of a script that consists of several files. A line {@code -- @include name.lua}
 * includes the file of that name, relative to the including file. Each file is included
 * once, at its first occurrence. A line {@code -- @insert name.lua} inserts the file at
 * each occurrence. The source omits comments, and unused local functions and constants of
 * the outermost level, because Redis creates every function anew for each call of a
 * script. Constants replace their names.
 */
public final class LuaSource {

	private static final Pattern DIRECTIVE = Pattern.compile("-- @(include|insert) (\\S+)");

	private static final Pattern FUNCTION = Pattern.compile("local function (\\w+)\\(.*");

	private static final Pattern CONSTANT = Pattern.compile("local (\\w+) = (?!.*redis)(?:\\{[^{}]*\\}|[^{}(]+)");

	private final List<String> lines = new ArrayList<>();

	private final Set<Resource> included = new HashSet<>();

	private LuaSource() {
	}

	public static String of(List<? extends Resource> files) {
		LuaSource source = new LuaSource();
		files.forEach(source::append);
		return LuaConstants.inline(source.used());
	}

	public static String of(Resource file) {
		return of(List.of(file));
	}

	private void append(Resource file) {
		if (this.included.add(file)) {
			insert(file);
		}
	}

	private void insert(Resource file) {
		try {
			for (String line : file.getContentAsString(StandardCharsets.UTF_8).split("\n")) {
				String content = line.strip();
				if (content.startsWith("--")) {
					follow(file, content);
				}
				else if (!content.isEmpty()) {
					this.lines.add(line);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

	/**
	 * Adds the file that a comment names, if it is a directive.
	 */
	private void follow(Resource file, String comment) throws IOException {
		Matcher directive = DIRECTIVE.matcher(comment);
		if (!directive.matches()) {
			return;
		}
		Resource other = relative(file, directive.group(2));
		if (directive.group(1).equals("include")) {
			append(other);
		}
		else {
			insert(other);
		}
	}

	/**
	 * Returns a file relative to another one, with a normalized path because the paths of
	 * a jar contain no {@code ..}.
	 */
	private static Resource relative(Resource file, String name) throws IOException {
		Resource other = file.createRelative(name);
		return (other instanceof ClassPathResource classPath)
				? new ClassPathResource(StringUtils.cleanPath(classPath.getPath()), classPath.getClassLoader()) : other;
	}

	/**
	 * Returns the text of the used parts in their order.
	 */
	private String used() {
		List<Part> parts = parts();
		Map<String, List<Part>> unused = new HashMap<>();
		Deque<Part> open = new ArrayDeque<>();
		for (Part part : parts) {
			if (part.name() == null) {
				open.add(part);
			}
			else {
				unused.computeIfAbsent(part.name(), (name) -> new ArrayList<>()).add(part);
			}
		}
		while (!open.isEmpty()) {
			LuaWords words = new LuaWords(open.remove().text());
			while (words.next()) {
				List<Part> used = unused.remove(words.word());
				if (used != null) {
					open.addAll(used);
				}
			}
		}
		return parts.stream()
			.filter((part) -> part.name() == null || !unused.containsKey(part.name()))
			.map(Part::text)
			.collect(Collectors.joining());
	}

	private List<Part> parts() {
		List<Part> parts = new ArrayList<>();
		for (int i = 0; i < this.lines.size(); i++) {
			String line = this.lines.get(i);
			Matcher function = FUNCTION.matcher(line);
			Matcher constant = CONSTANT.matcher(line);
			if (function.matches()) {
				int from = i;
				while (!line.endsWith(" end") && !this.lines.get(i).equals("end")) {
					i++;
				}
				parts.add(new Part(function.group(1), String.join("\n", this.lines.subList(from, i + 1)) + "\n"));
			}
			else {
				parts.add(new Part(constant.matches() ? constant.group(1) : null, line + "\n"));
			}
		}
		return parts;
	}

	/**
	 * Part of the source of a script.
	 *
	 * @param name the name that the part defines, or {@code null} if it is always used
	 * @param text the text
	 */
	private record Part(@Nullable String name, String text) {

	}

}
