package io.locket.autoconfigure;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one queue.
 */
public class NamedQueueProperties {

	/**
	 * Phase in which jobs of this queue are unique that do not say otherwise.
	 */
	private @Nullable LockStrategy lock;

	/**
	 * What happens to jobs of this queue that are enqueued while another one of their key
	 * is there, unless they say otherwise.
	 */
	private @Nullable DuplicateStrategy onDuplicate;

	/**
	 * What runs of this queue's jobs do that find their key taken, unless the job says
	 * otherwise.
	 */
	private @Nullable ConflictStrategy onConflict;

	/**
	 * How many jobs of this queue may run at once in the fleet. With 0, any number.
	 */
	private int maxRunning;

	public @Nullable LockStrategy getLock() {
		return this.lock;
	}

	public void setLock(@Nullable LockStrategy lock) {
		this.lock = lock;
	}

	public @Nullable DuplicateStrategy getOnDuplicate() {
		return this.onDuplicate;
	}

	public void setOnDuplicate(@Nullable DuplicateStrategy onDuplicate) {
		this.onDuplicate = onDuplicate;
	}

	public @Nullable ConflictStrategy getOnConflict() {
		return this.onConflict;
	}

	public void setOnConflict(@Nullable ConflictStrategy onConflict) {
		this.onConflict = onConflict;
	}

	public int getMaxRunning() {
		return this.maxRunning;
	}

	public void setMaxRunning(int maxRunning) {
		this.maxRunning = maxRunning;
	}

}
