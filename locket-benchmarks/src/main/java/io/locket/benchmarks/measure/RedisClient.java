package io.locket.benchmarks.measure;

import java.util.Set;

/**
 * Work whose cost in Redis is measured.
 */
public interface RedisClient {

	/**
	 * Work that sends scripts only.
	 */
	RedisClient ANY = new RedisClient() {

	};

	/**
	 * Returns the commands that this work sends beside scripts. None of its scripts calls
	 * them, because Redis would count those calls as well.
	 * @return the commands in lower case
	 */
	default Set<String> directCommands() {
		return Set.of();
	}

	/**
	 * Returns whether the work uses Redis.
	 * @return whether it does
	 */
	default boolean usesRedis() {
		return true;
	}

}
