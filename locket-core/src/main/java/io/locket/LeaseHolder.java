package io.locket;

import java.io.Serializable;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Holder of a lease, as described by its holder record.
 *
 * @param instance the process, as {@code host/pid/id}
 * @param thread the name of the thread that took the lease
 * @param since the time at which the lease was taken, by the clock of the store
 * @param fencingToken the fencing token of the lease
 */
public record LeaseHolder(String instance, String thread, @Nullable Instant since,
		long fencingToken) implements Serializable {

	/**
	 * Instance of a holder that left no record, such as a plain {@code LockRegistry}.
	 */
	public static final String FOREIGN = "(foreign)";

	/**
	 * Returns a holder that left no record.
	 * @return the holder
	 */
	public static LeaseHolder foreign() {
		return new LeaseHolder(FOREIGN, "", null, 0);
	}

	/**
	 * Returns whether the holder left no record, such as a plain {@code LockRegistry}.
	 * @return {@code true} if nothing is known about the holder
	 */
	public boolean isForeign() {
		return FOREIGN.equals(this.instance);
	}

	@Override
	public String toString() {
		if (isForeign()) {
			return "a holder that left no record";
		}
		return this.instance + " [" + this.thread + "] since " + this.since;
	}

}
