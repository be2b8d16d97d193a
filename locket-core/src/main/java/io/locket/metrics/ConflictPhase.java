package io.locket.metrics;

import java.util.Locale;

/**
 * The phase in which a key is already held.
 */
enum ConflictPhase {

	/**
	 * A job is enqueued.
	 */
	ENQUEUE,

	/**
	 * A queued job starts.
	 */
	RUN,

	/**
	 * A job is called directly.
	 */
	CALL;

	/**
	 * Counts a conflict.
	 * @param meters the meters of a registry
	 * @param job the name of the job
	 * @param strategy the strategy that is applied
	 */
	void count(RegistryMeters meters, String job, Enum<?> strategy) {
		meters.counter(LocketMeters.JOB_CONFLICTS, job, word(this), word(strategy)).increment();
	}

	private static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
