package io.locket.queue.redis;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the size of the scripts, and for the functions of those that do most of the
 * work. Lua takes no more than 200 local variables in a function, and the outermost level
 * of a script is one.
 */
class ScriptLocalsTests {

	private static final int MOST = 185;

	@Test
	void scriptsStayBelowTheLimitOfLocalVariables() {
		Map<String, Integer> locals = new TreeMap<>();
		for (QueueScript script : QueueScript.values()) {
			locals.put(script.name(), locals(QueueScripts.load().get(script)));
		}
		try (QueueFixture fixture = QueueFixture.manual(); QueueExtension extension = fixture.extension()) {
			for (String part : new String[] { "load", "change", "fire" }) {
				locals.put("schedule " + part, locals(extension.script(schedules("book"), schedules(part))));
			}
			locals.put("schedule revision", locals(extension.scriptOfOneKey(schedules("revision"))));
		}
		assertThat(locals).allSatisfy((script, count) -> assertThat(count).as(script).isBetween(1, MOST));
	}

	/**
	 * Redis builds each function anew in each call. The only ones are those of the clock,
	 * which tests replace.
	 */
	@Test
	void scriptsOfPlainWorkBuildNoFunctionsOfTheirOwnAndReadNoJson() {
		for (QueueScript script : List.of(QueueScript.TURN, QueueScript.FAIL, QueueScript.ADMIT)) {
			assertBuildsOnly(script, "get_all", "expire_at");
		}
		assertBuildsOnly(QueueScript.REPLACE, "expire_at");
		assertBuildsOnly(QueueScript.ADMIT_ONE);
		assertBuildsOnly(QueueScript.ADMIT_LATER);
	}

	private static void assertBuildsOnly(QueueScript script, String... functions) {
		String source = QueueScripts.load().get(script).getScriptAsString();
		assertThat(source).as(script.name()).doesNotContain("cjson");
		assertThat(Pattern.compile("\\bfunction\\b *(\\w*)").matcher(source).results().map((match) -> match.group(1)))
			.as(script.name())
			.containsExactly(functions);
	}

	private static ClassPathResource schedules(String part) {
		return new ClassPathResource("io/locket/schedule/redis/" + part + ".lua");
	}

	/**
	 * Count the variables of the outermost level, and those of the block in which there
	 * are most of them.
	 */
	private static int locals(RedisScript<?> script) {
		int count = 0;
		int inBlock = 0;
		int most = 0;
		boolean block = false;
		for (String line : script.getScriptAsString().split("\n")) {
			if (line.startsWith("local ")) {
				count += names(line);
			}
			else if (block && line.startsWith("  local ")) {
				inBlock += names(line.strip());
			}
			else if (line.equals("do") || line.equals("end")) {
				block = line.equals("do");
				inBlock = 0;
			}
			most = Math.max(most, count + inBlock);
		}
		return most;
	}

	private static int names(String line) {
		return line.startsWith("local function") ? 1 : line.split("=")[0].split(",").length;
	}

}
