package io.locket.queue.redis;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import io.locket.redis.script.ScriptRunner;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Loaded scripts of the queue.
 *
 * @param scripts the scripts, all of {@link QueueScript}
 */
record QueueScripts(Map<QueueScript, RedisScript<List<Object>>> scripts) {

	QueueScripts {
		scripts = Collections.unmodifiableMap(new EnumMap<>(scripts));
	}

	RedisScript<List<Object>> get(QueueScript script) {
		return Objects.requireNonNull(this.scripts.get(script));
	}

	/**
	 * Loads the scripts.
	 * @param files returns the file of a part by its name
	 */
	static QueueScripts load(Function<String, Resource> files) {
		Map<QueueScript, RedisScript<List<Object>>> scripts = new EnumMap<>(QueueScript.class);
		for (QueueScript script : QueueScript.values()) {
			List<Resource> parts = script.parts().stream().map(files).toList();
			scripts.put(script, script.isFastPath() ? fastPath(files, parts) : script(files, parts));
		}
		return new QueueScripts(scripts);
	}

	/**
	 * Returns the scripts, which are loaded once for the process.
	 */
	static QueueScripts load() {
		return Shared.SCRIPTS;
	}

	/**
	 * Returns a script that consists of the parts common to the queue's scripts, followed
	 * by the given parts.
	 */
	static RedisScript<List<Object>> script(Function<String, Resource> files, List<Resource> parts) {
		Stream<Resource> base = Stream.of("clock", "store", "keys", "write", "unknown", "set-aside", "life").map(files);
		return ScriptRunner.script(Stream.concat(base, parts.stream()).toList());
	}

	static RedisScript<List<Object>> fastPath(Function<String, Resource> files, List<Resource> parts) {
		return ScriptRunner.script(Stream.concat(Stream.of(files.apply("clock")), parts.stream()).toList());
	}

	static Resource part(String name) {
		return new ClassPathResource(name + ".lua", QueueScripts.class);
	}

	private static final class Shared {

		static final QueueScripts SCRIPTS = load(QueueScripts::part);

	}

}
