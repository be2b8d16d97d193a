package io.locket.schedule.leader;

import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The leases of the leader. They are in the store of the queue, independent of the store
 * for direct calls.
 *
 * @param service the service that holds the lease
 * @param end closes the resources that belong to this service alone
 */
public record LeaderLeases(LeaseService service, Runnable end) implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaderLeases.class);

	/**
	 * Returns leases of a shared service, which its owner closes.
	 * @param service the service
	 * @return the leases
	 */
	public static LeaderLeases shared(LeaseService service) {
		return new LeaderLeases(service, () -> logger.trace("The leader's leases are closed with the shared service"));
	}

	@Override
	public void close() {
		this.end.run();
	}

}
