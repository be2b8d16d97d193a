package io.locket.lease.heartbeat;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;

/**
 * Renewal of leases in a store, called by the heartbeat.
 */
public interface LeaseRenewer {

	/**
	 * Maximum number of leases that one call renews.
	 */
	int BATCH = 100;

	/**
	 * Returns the maximum number of leases that one call of this store renews. The leases
	 * of a call are renewed together, or the call fails for all of them.
	 * @return the number, {@value #BATCH} by default
	 */
	default int batch() {
		return BATCH;
	}

	/**
	 * Renews leases by one call.
	 * @param leases at most {@link #batch()} leases
	 * @return the result for each lease, in the same order
	 * @throws BatchRefusedException if the store may renew each lease alone
	 * @throws RuntimeException if the store does not reply
	 */
	List<Renewal> renew(List<LiveLease> leases);

	/**
	 * Returns whether a lease is renewed for the first time soon after its grant, because
	 * the store lists it from then on. Otherwise the first renewal is that of a beat.
	 * @return {@code true} if the store needs an early renewal
	 */
	default boolean renewsSoon() {
		return false;
	}

	/**
	 * Returns the scheduler of the renewals in this store. A store with a scheduler of
	 * its own delays no renewal of other stores when it hangs.
	 * @return the scheduler, or {@code null} for the one that stores share
	 */
	default @Nullable ScheduledExecutorService scheduler() {
		return null;
	}

	/**
	 * Result of a renewal.
	 */
	enum Renewal {

		/**
		 * The lease was renewed for its full duration.
		 */
		RENEWED,

		/**
		 * Another token owns the key.
		 */
		TAKEN,

		/**
		 * The key no longer exists. It is not created again.
		 */
		GONE,

		/**
		 * The store cannot renew leases. The lease ends when its duration has passed.
		 */
		NOT_RENEWABLE

	}

}
