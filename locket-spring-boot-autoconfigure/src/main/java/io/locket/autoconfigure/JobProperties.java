package io.locket.autoconfigure;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What jobs get that do not say otherwise.
 */
public class JobProperties {

	/**
	 * Phase in which jobs are unique that do not say otherwise.
	 */
	private LockStrategy lock = LockStrategy.WHILE_EXECUTING;

	/**
	 * What happens to jobs that are enqueued while another one of their key is there,
	 * unless they or their queue say otherwise.
	 */
	private DuplicateStrategy onDuplicate = DuplicateStrategy.REJECT;

	/**
	 * What runs do that find their key taken, unless their job or queue says otherwise.
	 * Without it queued runs park, and direct calls are rejected.
	 */
	private @Nullable ConflictStrategy onConflict;

	public LockStrategy getLock() {
		return this.lock;
	}

	public void setLock(LockStrategy lock) {
		this.lock = lock;
	}

	public DuplicateStrategy getOnDuplicate() {
		return this.onDuplicate;
	}

	public void setOnDuplicate(DuplicateStrategy onDuplicate) {
		this.onDuplicate = onDuplicate;
	}

	public @Nullable ConflictStrategy getOnConflict() {
		return this.onConflict;
	}

	public void setOnConflict(@Nullable ConflictStrategy onConflict) {
		this.onConflict = onConflict;
	}

}
