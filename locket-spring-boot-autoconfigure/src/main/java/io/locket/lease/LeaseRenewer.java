package io.locket.lease;

import java.util.List;

/**
 * What the heartbeat asks of a store.
 */
interface LeaseRenewer {

	/**
	 * How many leases are renewed by one call.
	 */
	int BATCH = 100;

	/**
	 * Renew some leases by one call.
	 * @param leases at most {@link #BATCH} leases
	 * @return an answer for each lease in its order
	 * @throws RuntimeException if the store gives no answer
	 */
	List<Renewal> renew(List<LiveLease> leases);

	/**
	 * The answer to a renewal.
	 */
	enum Renewal {

		/**
		 * The lease holds for its duration again.
		 */
		RENEWED,

		/**
		 * Another token owns the key.
		 */
		TAKEN,

		/**
		 * The key is gone. It is not created again.
		 */
		GONE,

		/**
		 * The store cannot renew: the lease ends with its duration.
		 */
		NOT_RENEWABLE

	}

}
