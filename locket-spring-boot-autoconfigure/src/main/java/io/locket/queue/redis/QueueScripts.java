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
 * @param progress stores how far runs are
 * @param pause pauses and resumes a queue
 * @param remove removes what waits in a queue
 * @param check checks and mends
 * @param occupant tells who keeps a key from others
 * @param list lists jobs
 * @param dueTimes tells when jobs are due
 * @param steer does something with jobs that are there
 * @param putBack puts dead letters back
 * @param overview tells of all queues
 * @param workers tells who takes jobs
 */
record QueueScripts(RedisScript<List<Object>> enqueue, RedisScript<List<Object>> reserve,
		RedisScript<List<Object>> settle, RedisScript<List<Object>> renew, RedisScript<List<Object>> progress,
		RedisScript<List<Object>> pause, RedisScript<List<Object>> remove, RedisScript<List<Object>> check,
		RedisScript<List<Object>> occupant, RedisScript<List<Object>> list, RedisScript<List<Object>> dueTimes,
		RedisScript<List<Object>> steer, RedisScript<List<Object>> putBack, RedisScript<List<Object>> overview,
		RedisScript<List<Object>> workers) {

	/**
	 * Load the scripts.
	 * @param clock the part that tells the time
	 */
	static QueueScripts load(Resource clock) {
		return new QueueScripts(script(clock, "entry", "enqueue"), script(clock, "work", "reserve"),
				script(clock, "work", "settle"), script(clock, "renew"), script(clock, "progress"),
				script(clock, "pause"), script(clock, "remove"), script(clock, "check"), script(clock, "occupant"),
				script(clock, "list"), script(clock, "due-times"), script(clock, "steer"),
				script(clock, "entry", "put-back"), script(clock, "overview"), script(clock, "workers"));
	}

	static QueueScripts load() {
		return load(part("clock"));
	}

	private static RedisScript<List<Object>> script(Resource clock, String... parts) {
		return script(clock, Stream.of(parts).map(QueueScripts::part).toList());
	}

	/**
	 * Make a script that stands on what every script of the queue stands on.
	 */
	static RedisScript<List<Object>> script(Resource clock, List<Resource> parts) {
		List<Resource> all = new ArrayList<>(List.of(clock, part("store"), part("keys"), part("write"), part("life")));
		all.addAll(parts);
		return ScriptRunner.script(all);
	}

	static Resource part(String name) {
		return new ClassPathResource(name + ".lua", QueueScripts.class);
	}

}
