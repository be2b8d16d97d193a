package io.locket.queue.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.locket.lease.ScriptRunner;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The scripts of the queue. Each is put together from the parts that it stands on.
 *
 * @param enqueue enqueues jobs
 * @param reserve hands out jobs
 * @param settle ends runs and hands out jobs
 * @param renew renews the leases of runs
 * @param cancel cancels a job
 * @param pause pauses and resumes a queue
 * @param remove removes what waits in a queue
 * @param check checks and mends
 * @param occupant tells who keeps a key from others
 */
record QueueScripts(RedisScript<List<Object>> enqueue, RedisScript<List<Object>> reserve,
		RedisScript<List<Object>> settle, RedisScript<List<Object>> renew, RedisScript<List<Object>> cancel,
		RedisScript<List<Object>> pause, RedisScript<List<Object>> remove, RedisScript<List<Object>> check,
		RedisScript<List<Object>> occupant) {

	/**
	 * Load the scripts.
	 * @param clock the part that tells the time
	 */
	static QueueScripts load(Resource clock) {
		return new QueueScripts(script(clock, "enqueue"), script(clock, "work", "reserve"),
				script(clock, "work", "settle"), script(clock, "renew"), script(clock, "cancel"),
				script(clock, "pause"), script(clock, "remove"), script(clock, "check"), script(clock, "occupant"));
	}

	static QueueScripts load() {
		return load(part("clock"));
	}

	private static RedisScript<List<Object>> script(Resource clock, String... parts) {
		List<Resource> all = new ArrayList<>(List.of(clock, part("store"), part("keys"), part("write"), part("life")));
		Stream.of(parts).map(QueueScripts::part).forEach(all::add);
		return ScriptRunner.script(all);
	}

	private static Resource part(String name) {
		return new ClassPathResource(name + ".lua", QueueScripts.class);
	}

}
