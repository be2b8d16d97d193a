package io.locket.queue.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.lease.ScriptRunner;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The scripts of the queue. Each is put together from the parts that it stands on, since
 * Redis knows no libraries before version 7.
 *
 * @param enqueue enqueues jobs
 * @param reserve hands out jobs
 * @param settle ends runs and hands out jobs
 * @param renew renews the leases of runs
 * @param cancel cancels a job
 * @param pause pauses and resumes a queue
 * @param remove removes what waits in a queue
 * @param check checks and mends
 */
record QueueScripts(RedisScript<List<Object>> enqueue, RedisScript<List<Object>> reserve,
		RedisScript<List<Object>> settle, RedisScript<List<Object>> renew, RedisScript<List<Object>> cancel,
		RedisScript<List<Object>> pause, RedisScript<List<Object>> remove, RedisScript<List<Object>> check) {

	/**
	 * Load the scripts.
	 * @param clock the part that tells the time
	 */
	static QueueScripts load(ClassPathResource clock) {
		String life = Stream.of(clock, part("store"), part("life"))
			.map(QueueScripts::read)
			.collect(Collectors.joining("\n"));
		String work = life + "\n" + read(part("work"));
		return new QueueScripts(script(life, "enqueue"), script(work, "reserve"), script(work, "settle"),
				script(life, "renew"), script(life, "cancel"), script(life, "pause"), script(life, "remove"),
				script(life, "check"));
	}

	static QueueScripts load() {
		return load(part("clock"));
	}

	private static ClassPathResource part(String name) {
		return new ClassPathResource(name + ".lua", QueueScripts.class);
	}

	private static RedisScript<List<Object>> script(String prelude, String name) {
		return ScriptRunner.script(prelude + "\n" + read(part(name)));
	}

	private static String read(ClassPathResource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + resource, ex);
		}
	}

}
