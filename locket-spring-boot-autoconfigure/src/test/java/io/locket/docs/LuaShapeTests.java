package io.locket.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for all Lua files: functions are short and flat, each file begins with a comment,
 * and the permissions of all commands are checked.
 */
class LuaShapeTests {

	private static final int LINES = 40;

	private static final int LEVELS = 3;

	private static final Pattern TEXT_OR_COMMENT = Pattern.compile("'(?:\\\\.|[^'\\\\])*'|--.*");

	private static final Pattern KEYWORD = Pattern.compile("\\b(function|if|for|while|repeat|do|end|until)\\b");

	/**
	 * Call of a command by its name, also by a function that is passed the name.
	 */
	private static final Pattern COMMAND = Pattern.compile("(?:call\\(|write\\(|each\\(\\w+, )'([A-Z]+)'");

	@Test
	void functionsAreShortAndFlat() throws IOException {
		assertThat(files()).isNotEmpty().allSatisfy((file) -> assertThat(problems(file)).isEmpty());
	}

	@Test
	void filesBeginWithAComment() throws IOException {
		assertThat(files())
			.allSatisfy((file) -> assertThat(file.getContentAsString(StandardCharsets.UTF_8)).startsWith("-- "));
	}

	@Test
	void permissionOfEachCommandIsChecked() throws IOException {
		String checks = new ClassPathResource("io/locket/redis/permissions.lua")
			.getContentAsString(StandardCharsets.UTF_8);
		Set<String> commands = new TreeSet<>();
		for (Resource file : files()) {
			Matcher command = COMMAND.matcher(file.getContentAsString(StandardCharsets.UTF_8));
			while (command.find()) {
				commands.add(command.group(1));
			}
		}
		assertThat(commands).contains("ZADD", "HSET", "SET")
			.allSatisfy((command) -> assertThat(checks).contains("('" + command + "'"));
	}

	@Test
	void longAndDeepFunctionsAreFound() throws IOException {
		String lua = "local function long()\n" + "  f()\n".repeat(LINES) + "end\n" + "local function deep()\n"
				+ "  for i = 1, 2 do\n    while i do\n      if i then\n        if i == 2 then\n        end\n"
				+ "      end\n    end\n  end\nend\n";
		assertThat(problems(new ByteArrayResource(lua.getBytes(StandardCharsets.UTF_8))))
			.containsExactly("line 1: a function of 42 lines", "line 47: 4 levels inside a function");
	}

	private static List<Resource> files() throws IOException {
		Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath*:io/locket/**/*.lua");
		return Stream.of(files).filter((file) -> !file.getDescription().contains("test-classes")).toList();
	}

	private static List<String> problems(Resource file) throws IOException {
		List<String> problems = new ArrayList<>();
		Deque<Block> blocks = new ArrayDeque<>();
		String[] lines = file.getContentAsString(StandardCharsets.UTF_8).split("\n");
		for (int i = 0; i < lines.length; i++) {
			Matcher keyword = KEYWORD.matcher(TEXT_OR_COMMENT.matcher(lines[i]).replaceAll("''"));
			boolean loop = false;
			while (keyword.find()) {
				switch (keyword.group()) {
					case "end", "until" -> close(blocks.pop(), i, problems);
					case "do" -> {
						if (!loop) {
							blocks.push(Block.of(blocks.peek(), "do", i));
						}
						loop = false;
					}
					default -> {
						loop = keyword.group().equals("for") || keyword.group().equals("while");
						blocks.push(Block.of(blocks.peek(), keyword.group(), i));
						if (blocks.element().levels() == LEVELS + 1) {
							problems.add("line " + (i + 1) + ": " + (LEVELS + 1) + " levels inside a function");
						}
					}
				}
			}
		}
		assertThat(blocks).as("open blocks of " + file).isEmpty();
		return problems;
	}

	private static void close(Block block, int line, List<String> problems) {
		int size = line - block.from() + 1;
		if (block.isFunction() && size > LINES) {
			problems.add("line " + (block.from() + 1) + ": a function of " + size + " lines");
		}
	}

	/**
	 * Block of a file.
	 *
	 * @param keyword the keyword that begins it
	 * @param from the index of its first line
	 * @param levels the number of blocks around its content, up to the function that it
	 * is in
	 * @param inFunction whether it is in a function
	 */
	private record Block(String keyword, int from, int levels, boolean inFunction) {

		static Block of(Block outer, String keyword, int from) {
			boolean function = keyword.equals("function");
			boolean inside = outer != null && outer.inFunction();
			return new Block(keyword, from, (function || !inside) ? 0 : outer.levels() + 1, function || inside);
		}

		boolean isFunction() {
			return this.keyword.equals("function");
		}

	}

}
