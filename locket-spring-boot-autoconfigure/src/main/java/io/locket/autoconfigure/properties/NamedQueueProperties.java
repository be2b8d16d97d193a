package io.locket.autoconfigure.properties;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a single queue.
 */
public class NamedQueueProperties {

	/**
	 * Default lock strategy for jobs of this queue, the phase in which a job is unique.
	 */
	private ConfiguredStrategies.@Nullable Lock lock;

	/**
	 * Default duplicate strategy for jobs that are enqueued into this queue while a job
	 * with the same key exists.
	 */
	private ConfiguredStrategies.@Nullable OnDuplicate onDuplicate;

	/**
	 * Default conflict strategy for runs of this queue whose key is already held.
	 */
	private ConfiguredStrategies.@Nullable OnConflict onConflict;

	/**
	 * Default period of UNTIL_EXPIRED jobs of this queue, and default cap on the
	 * uniqueness of its waiting jobs. Both count from the due time.
	 */
	private @Nullable Duration uniqueFor;

	/**
	 * Maximum number of jobs of this queue that run at once in the fleet. 0 means no
	 * limit.
	 */
	private int maxRunning;

	public ConfiguredStrategies.@Nullable Lock getLock() {
		return this.lock;
	}

	public void setLock(ConfiguredStrategies.@Nullable Lock lock) {
		this.lock = lock;
	}

	public ConfiguredStrategies.@Nullable OnDuplicate getOnDuplicate() {
		return this.onDuplicate;
	}

	public void setOnDuplicate(ConfiguredStrategies.@Nullable OnDuplicate onDuplicate) {
		this.onDuplicate = onDuplicate;
	}

	public ConfiguredStrategies.@Nullable OnConflict getOnConflict() {
		return this.onConflict;
	}

	public void setOnConflict(ConfiguredStrategies.@Nullable OnConflict onConflict) {
		this.onConflict = onConflict;
	}

	public int getMaxRunning() {
		return this.maxRunning;
	}

	public void setMaxRunning(int maxRunning) {
		this.maxRunning = maxRunning;
	}

	public @Nullable Duration getUniqueFor() {
		return this.uniqueFor;
	}

	public void setUniqueFor(@Nullable Duration uniqueFor) {
		this.uniqueFor = uniqueFor;
	}

}
