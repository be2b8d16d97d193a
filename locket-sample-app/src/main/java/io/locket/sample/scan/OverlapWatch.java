package io.locket.sample.scan;

import java.io.IOException;
import java.time.Duration;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Detector of concurrent inspections of the same artifact, independent of Locket. It
 * numbers the inspections of each artifact over the fleet. An inspection that ends and no
 * longer has the latest number has overlapped with the one that began after it. The
 * inspection of a replica that died never ends, so it does not count.
 */
@Component
class OverlapWatch {

	/**
	 * The time for which a number is kept, longer than any inspection.
	 */
	private static final Duration KEPT_FOR = Duration.ofHours(1);

	private final StringRedisTemplate redis;

	OverlapWatch(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Runs an inspection, and checks whether another one of the same artifact began
	 * meanwhile.
	 * @param artifactId the artifact
	 * @param onOverlap is called at the end of the inspection if another one began
	 * @param inspection the inspection
	 * @throws IOException if the inspection throws it
	 * @throws InterruptedException if the inspection throws it
	 */
	void watch(String artifactId, Runnable onOverlap, Inspection inspection) throws IOException, InterruptedException {
		String key = "inventory:inspections:" + artifactId;
		Long number = this.redis.opsForValue().increment(key);
		this.redis.expire(key, KEPT_FOR);
		try {
			inspection.run();
		}
		finally {
			if (!String.valueOf(number).equals(this.redis.opsForValue().get(key))) {
				onOverlap.run();
			}
		}
	}

	/**
	 * An inspection.
	 */
	@FunctionalInterface
	interface Inspection {

		void run() throws IOException, InterruptedException;

	}

}
