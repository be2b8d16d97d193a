package io.locket.lease.registry;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import io.locket.LeaseUnavailableException;
import io.locket.lease.heartbeat.LeaseRenewer;
import io.locket.lease.heartbeat.LiveLease;

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

	@Override
	public int batch() {
		return 1;
	}

	@Override
	public List<Renewal> renew(List<LiveLease> leases) {
		return leases.stream().map(this::renew).toList();
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
