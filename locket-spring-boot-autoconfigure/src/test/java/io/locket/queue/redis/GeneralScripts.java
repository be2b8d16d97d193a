package io.locket.queue.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * Scripts of the queue without the shortcuts for common cases.
 */
final class GeneralScripts {

	private GeneralScripts() {
	}

	static QueueScripts load() {
		return of(QueueScripts.load());
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	static QueueScripts of(QueueScripts all) {
		RedisScript<List<Object>> nothing = (RedisScript) RedisScript.of("return {}", List.class);
		Map<QueueScript, RedisScript<List<Object>>> scripts = new EnumMap<>(all.scripts());
		scripts.replaceAll((script, source) -> script.isFastPath() ? nothing : source);
		return new QueueScripts(scripts);
	}

}
