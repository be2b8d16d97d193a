package io.locket.schedule;

import java.time.Duration;

import io.locket.lease.Lease;

/**
 * What a process does while it leads.
 */
@FunctionalInterface
public interface LeaderDuty {

	/**
	 * Begin a term. Asks no store.
	 * @param lease the leader's lease
	 * @return what is to be done in that term
	 */
	Term begin(Lease lease);

	/**
	 * What is done in a term, by one thread.
	 */
	@FunctionalInterface
	interface Term {

		/**
		 * Do what is due. Does nothing more once the lease is lost, which it may find
		 * out.
		 * @return after how long to call again at the latest, zero for at once
		 */
		Duration perform();

	}

}
