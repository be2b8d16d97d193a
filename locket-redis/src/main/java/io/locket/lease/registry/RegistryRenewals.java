package io.locket.lease.registry;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.heartbeat.LeaseRenewer;
import io.locket.lease.heartbeat.LiveLease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Renewals of the locks of a registry. Each is a call of its own, so that the failure of
 * one affects no other.
 *
 * @param registry the registry
 * @param scheduler the scheduler of the renewals, which a hanging registry may block
 */
record RegistryRenewals(LockRegistry<?> registry, ScheduledExecutorService scheduler) implements LeaseRenewer {

	private static final Log logger = LogFactory.getLog(RegistryRenewals.class);

	@Override
	public int batch() {
		return 1;
	}

	@Override
	public List<Renewal> renew(List<LiveLease> leases) {
		return leases.stream().map(this::renew).toList();
	}

	/**
	 * Renews a lock that was granted after a long wait. The timeout of its registry may
	 * be longer than Locket's, so the time of the grant is not known.
	 * @param lease the lease
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @return {@code false} if the lock is lost, or the registry does not reply
	 */
	boolean confirm(RegistryLease lease, LongSupplier nanoTime) {
		long sentAt = nanoTime.getAsLong();
		try {
			Renewal renewal = renew(lease);
			if (renewal == Renewal.RENEWED) {
				lease.confirm(sentAt);
			}
			return renewal != Renewal.GONE;
		}
		catch (LeaseUnavailableException ex) {
			logger.debug("Could not renew " + lease + ", which was granted after a wait", ex);
			return false;
		}
	}

	private Renewal renew(LiveLease lease) {
		if (lease.duration() == LockRegistryLeaseService.ENDLESS
				|| !(this.registry instanceof RenewableLockRegistry<?> renewable)) {
			return Renewal.NOT_RENEWABLE;
		}
		try {
			renewable.renewLock(lease.key().digest(), lease.duration());
			return Renewal.RENEWED;
		}
		catch (IllegalMonitorStateException ex) {
			// Only the owning thread may renew a lock of the registry, so the lock ends
			// with its duration.
			return Renewal.NOT_RENEWABLE;
		}
		catch (IllegalStateException ex) {
			return Renewal.GONE;
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException("The lock registry could not renew the lock of " + lease.key() + ". "
					+ NestedExceptionUtils.getMostSpecificCause(ex), ex);
		}
	}

}
