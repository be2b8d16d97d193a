package io.locket.lease.redis;

import java.util.List;

import io.locket.LeaseUnavailableException;
import io.locket.lease.heartbeat.BatchRefusedException;
import io.locket.lease.heartbeat.LeaseRenewer;
import io.locket.lease.heartbeat.LiveLease;
import io.locket.redis.RedisFailure;

/**
 * Renewals of leases in Redis.
 *
 * @param scripts the scripts
 */
record LeaseRenewals(LeaseScripts scripts) implements LeaseRenewer {

	@Override
	public List<Renewal> renew(List<LiveLease> leases) {
		try {
			return this.scripts.renew(leases.stream().map(RedisLease.class::cast).toList());
		}
		catch (BatchRefusedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new LeaseUnavailableException(RedisFailure.of(ex).message("renew " + leases.size() + " lease(s)"),
					ex);
		}
	}

	/**
	 * Reads the reply of {@code renew.lua} or {@code keep.lua}.
	 */
	static List<Renewal> read(List<Object> reply) {
		return reply.stream().map((renewal) -> switch (renewal.toString()) {
			case "1" -> Renewal.RENEWED;
			case "0" -> Renewal.TAKEN;
			default -> Renewal.GONE;
		}).toList();
	}

	@Override
	public boolean renewsSoon() {
		return true;
	}

}
