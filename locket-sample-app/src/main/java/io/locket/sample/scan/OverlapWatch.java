package io.locket.sample.scan;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import org.springframework.data.redis.core.StringRedisTemplate;
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

	private final LongAdder overlapped = new LongAdder();

	OverlapWatch(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * A run begins.
	 * @param artifactId the artifact
	 * @return what ends it
	 */
	Run enter(String artifactId) {
		int runsHere = this.here.computeIfAbsent(artifactId, (id) -> new AtomicInteger()).incrementAndGet();
		String key = "inventory:running:" + artifactId;
		String run = UUID.randomUUID().toString();
		long now = System.currentTimeMillis();
		this.redis.opsForZSet().removeRangeByScore(key, 0, now);
		this.redis.opsForZSet().add(key, run, now + FORGOTTEN_AFTER.toMillis());
		Long runsInFleet = this.redis.opsForZSet().zCard(key);
		if (runsHere > 1 || (runsInFleet != null && runsInFleet > 1)) {
			this.overlapped.increment();
		}
		return () -> {
			this.redis.opsForZSet().remove(key, run);
			this.here.get(artifactId).decrementAndGet();
		};
	}

	long overlapped() {
		return this.overlapped.sum();
	}

	/**
	 * A run of an inspection.
	 */
	@FunctionalInterface
	interface Run extends AutoCloseable {

		@Override
		void close();

	}

}
