package io.locket.schedule.leader;

import java.time.Duration;

import io.locket.lease.Lease;

/**
 * Task of a process while it leads.
 */
@FunctionalInterface
public interface LeaderTask {

	/**
	 * Begins a term. It does not call the store.
	 * @param lease the leader's lease
	 * @return the work of that term
	 */
	Term begin(Lease lease);

	/**
	 * Returns whether this process has the task regardless of other processes. If so, it
	 * takes part in the election from its start, and stays alive for it. Does no I/O.
	 * @return {@code true} by default
	 */
	default boolean isOwn() {
		return true;
	}

	/**
	 * Returns whether the task is needed. It may query the store, and is called
	 * periodically until it returns {@code true}. Not called if the task
	 * {@linkplain #isOwn() is this process's own}.
	 * @return {@code true} by default
	 */
	default boolean isNeeded() {
		return true;
	}

	/**
	 * Work of a term, on one thread.
	 */
	@FunctionalInterface
	interface Term {

		/**
		 * Performs due work. Does nothing more once it detects that the lease is lost. An
		 * outage of the store is no failure. Any exception or error ends the term.
		 * @return the maximum time until the next call, zero for at once
		 */
		Duration perform();

	}

}
