package io.locket.queue.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.springframework.data.redis.core.script.RedisScript;

/**
 * Scripts of the queue whose shortcuts have to serve each enqueue and each turn, because
 * the general scripts fail.
 */
final class FastPathScripts {

	private FastPathScripts() {
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	static QueueScripts of(QueueScripts all) {
		RedisScript<List<Object>> failing = (RedisScript) RedisScript.of("return redis.error_reply('ERR general')",
				List.class);
		Map<QueueScript, RedisScript<List<Object>>> scripts = new EnumMap<>(all.scripts());
		scripts.put(QueueScript.ENQUEUE, failing);
		scripts.put(QueueScript.RESERVE, failing);
		scripts.put(QueueScript.SETTLE, failing);
		return new QueueScripts(scripts);
	}

}
