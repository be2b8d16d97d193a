package io.locket.sample.scan;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Counters of the inspections of a scan, in Redis because they run in all replicas.
 */
@Component
class ScanTally {

	private static final Duration KEPT_FOR = Duration.ofHours(1);

	/**
	 * The maximum time for which inspections wait for the results of other offers if
	 * their scan dies.
	 */
	private static final Duration OFFERING = Duration.ofSeconds(10);

	private final StringRedisTemplate redis;

	ScanTally(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Records the run of a job of a scan.
	 * @param scan the scan
	 * @param job the id of the job; its first run counts as a run, later ones as repeated
	 */
	void ran(long scan, String job) {
		Long added = this.redis.opsForSet().add(key(scan, "jobs"), job);
		this.redis.expire(key(scan, "jobs"), KEPT_FOR);
		increment(scan, (added != null && added > 0) ? "ran" : "again");
	}

	void overlapped(long scan) {
		increment(scan, "overlapped");
	}

	private void increment(long scan, String field) {
		this.redis.opsForHash().increment(key(scan, "counts"), field, 1);
		this.redis.expire(key(scan, "counts"), KEPT_FOR);
	}

	Counts counts(long scan) {
		Map<Object, Object> fields = this.redis.opsForHash().entries(key(scan, "counts"));
		return new Counts(number(fields.get("ran")), number(fields.get("again")), number(fields.get("overlapped")));
	}

	private static long number(@Nullable Object value) {
		return (value != null) ? Long.parseLong(value.toString()) : 0;
	}

	/**
	 * Records that a scan makes offers during the next ten seconds.
	 */
	void offering(long scan) {
		this.redis.opsForValue().set(key(scan, "offering"), "yes", OFFERING);
	}

	/**
	 * Records that every offer of a scan has its result.
	 */
	void offered(long scan) {
		this.redis.delete(key(scan, "offering"));
	}

	boolean isOffering(long scan) {
		return Boolean.TRUE.equals(this.redis.hasKey(key(scan, "offering")));
	}

	private static String key(long scan, String what) {
		return "inventory:scan:" + scan + ":" + what;
	}

	/**
	 * The counts.
	 */
	record Counts(long ran, long again, long overlapped) {

	}

}
