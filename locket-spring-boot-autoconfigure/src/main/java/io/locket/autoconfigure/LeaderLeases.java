package io.locket.autoconfigure;

import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Where the leader's lease is: beside the queue, wherever direct calls have theirs.
 *
 * @param service keeps the lease
 * @param end ends what was made for it alone
 */
record LeaderLeases(LeaseService service, Runnable end) implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaderLeases.class);

	/**
	 * Return leases that others have, too, and that end by themselves.
	 */
	static LeaderLeases shared(LeaseService service) {
		return new LeaderLeases(service, () -> logger.trace("The leader's leases end with the others"));
	}

	@Override
	public void close() {
		this.end.run();
	}

}
