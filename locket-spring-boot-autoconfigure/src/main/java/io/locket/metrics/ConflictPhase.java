package io.locket.metrics;

import java.util.Locale;

/**
 * When a key is found taken.
 */
enum ConflictPhase {

	/**
	 * When a job is enqueued.
	 */
	ENQUEUE,

	/**
	 * When a queued job is to start.
	 */
	RUN,

	/**
	 * When a job is called directly.
	 */
	CALL;

	/**
	 * Count a conflict.
	 * @param meters where
	 * @param job the name of the job
	 * @param strategy what is done
	 */
	void count(RegistryMeters meters, String job, Enum<?> strategy) {
		meters.counter(LocketMeters.JOB_CONFLICTS, job, word(this), word(strategy)).increment();
	}

	private static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
