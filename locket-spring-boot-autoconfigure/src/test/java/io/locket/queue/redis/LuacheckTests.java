package io.locket.queue.redis;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.locket.lease.redis.LeaseScripts;
import io.locket.redis.script.LuaSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that run {@code luacheck}, which must be installed, on the scripts as they are
 * sent to Redis.
 */
@Tag("scale")
@Tag("luacheck")
class LuacheckTests {

	/**
	 * Ignored are unused variables, because scripts share parts and use only some of
	 * each, and comparisons that are written for numbers that are not a number.
	 */
	private static final List<String> COMMAND = List.of("luacheck", "--std", "lua51", "--globals", "redis", "cjson",
			"cmsgpack", "struct", "bit", "KEYS", "ARGV", "--ignore", "211", "221", "241", "581", "--no-max-line-length",
			"--no-cache", "--no-color", "--codes", ".");

	@Test
	void scriptsHaveNoWarnings(@TempDir Path directory) throws Exception {
		for (Map.Entry<String, String> source : sources().entrySet()) {
			Files.writeString(directory.resolve(source.getKey() + ".lua"), source.getValue());
		}
		assertThat(run(directory)).contains(" 0 warnings / 0 errors in " + sources().size() + " files");
	}

	/**
	 * Checks that the test can fail.
	 */
	@Test
	void undefinedVariableIsFound(@TempDir Path directory) throws Exception {
		Files.writeString(directory.resolve("script.lua"), "return undefined_name\n");
		assertThat(run(directory)).contains("W113", "undefined_name", " 1 warning ");
	}

	private static String run(Path directory) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(COMMAND).directory(directory.toFile()).redirectErrorStream(true).start();
		String output;
		try {
			process.getOutputStream().close();
			output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		return output;
	}

	private static Map<String, String> sources() throws IllegalAccessException {
		Map<String, String> sources = new TreeMap<>();
		for (QueueScript script : QueueScript.values()) {
			sources.put("queue-" + script, QueueScripts.load().get(script).getScriptAsString());
		}
		for (Field field : LeaseScripts.class.getDeclaredFields()) {
			if (field.getType() == RedisScript.class) {
				field.setAccessible(true);
				sources.put("lease-" + field.getName(), ((RedisScript<?>) field.get(null)).getScriptAsString());
			}
		}
		for (String other : List.of("lease/redis/replicate", "redis/permissions")) {
			sources.put(other.replace('/', '-'), LuaSource.of(new ClassPathResource("io/locket/" + other + ".lua")));
		}
		try (QueueFixture fixture = QueueFixture.create(); QueueExtension extension = fixture.extension()) {
			for (String schedules : List.of("load", "change", "fire")) {
				sources.put("schedule-" + schedules,
						extension.script(part("book"), part(schedules)).getScriptAsString());
			}
			sources.put("schedule-revision", extension.scriptOfOneKey(part("revision")).getScriptAsString());
		}
		return sources;
	}

	private static ClassPathResource part(String name) {
		return new ClassPathResource("io/locket/schedule/redis/" + name + ".lua");
	}

}
