package io.locket.sample.scan;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations;
import org.springframework.stereotype.Component;

/**
 * Counts inspections that begin while another one of the same artifact runs, without any
 * help of Locket's: by a counter in this process, and for the fleet by a set in Redis of
 * those that run.
 */
@Component
class OverlapWatch {

	/**
	 * How long a run counts whose replica died: no longer than its lease does.
	 */
	private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

	private final StringRedisTemplate redis;

	private final Map<String, AtomicInteger> here = new ConcurrentHashMap<>();

	OverlapWatch(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Run an inspection, and look whether another one of the same artifact runs.
	 * @param artifactId the artifact
	 * @param onOverlap is run if another one does
	 * @param inspection the inspection
	 * @throws IOException if the inspection does
	 * @throws InterruptedException if the inspection does
	 */
	void watch(String artifactId, Runnable onOverlap, Inspection inspection) throws IOException, InterruptedException {
		AtomicInteger runsHere = this.here.computeIfAbsent(artifactId, (id) -> new AtomicInteger());
		String key = "inventory:running:" + artifactId;
		String run = UUID.randomUUID().toString();
		boolean alone = runsHere.incrementAndGet() == 1;
		try {
			if (enterFleet(key, run) > 1 || !alone) {
				onOverlap.run();
			}
			inspection.run();
		}
		finally {
			runsHere.decrementAndGet();
			this.redis.opsForZSet().remove(key, run);
		}
	}

	private long enterFleet(String key, String run) {
		ZSetOperations<String, String> runs = this.redis.opsForZSet();
		long now = System.currentTimeMillis();
		runs.removeRangeByScore(key, 0, now);
		runs.add(key, run, now + FORGOTTEN_AFTER.toMillis());
		Long count = runs.zCard(key);
		return (count != null) ? count : 0;
	}

	/**
	 * What is run.
	 */
	@FunctionalInterface
	interface Inspection {

		void run() throws IOException, InterruptedException;

	}

}
