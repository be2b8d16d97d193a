package io.locket.autoconfigure.properties;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Defaults for jobs that declare no strategies of their own.
 */
public class JobProperties {

	/**
	 * Default lock strategy, the phase in which a job is unique.
	 */
	private ConfiguredStrategies.Lock lock = ConfiguredStrategies.Lock.WHILE_EXECUTING;

	/**
	 * Default duplicate strategy for jobs that are enqueued while a job with the same key
	 * exists.
	 */
	private ConfiguredStrategies.OnDuplicate onDuplicate = ConfiguredStrategies.OnDuplicate.REJECT;

	/**
	 * Default conflict strategy for runs whose key is already held. If not set, queued
	 * runs park and direct calls are rejected.
	 */
	private ConfiguredStrategies.@Nullable OnConflict onConflict;

	/**
	 * Default period of UNTIL_EXPIRED jobs, and default cap on the uniqueness of waiting
	 * jobs. Both count from the due time. If not set, there is no cap, and each
	 * UNTIL_EXPIRED job must declare uniqueFor.
	 */
	private @Nullable Duration uniqueFor;

	public ConfiguredStrategies.Lock getLock() {
		return this.lock;
	}

	public void setLock(ConfiguredStrategies.Lock lock) {
		this.lock = lock;
	}

	public ConfiguredStrategies.OnDuplicate getOnDuplicate() {
		return this.onDuplicate;
	}

	public void setOnDuplicate(ConfiguredStrategies.OnDuplicate onDuplicate) {
		this.onDuplicate = onDuplicate;
	}

	public ConfiguredStrategies.@Nullable OnConflict getOnConflict() {
		return this.onConflict;
	}

	public void setOnConflict(ConfiguredStrategies.@Nullable OnConflict onConflict) {
		this.onConflict = onConflict;
	}

	public @Nullable Duration getUniqueFor() {
		return this.uniqueFor;
	}

	public void setUniqueFor(@Nullable Duration uniqueFor) {
		this.uniqueFor = uniqueFor;
	}

}
