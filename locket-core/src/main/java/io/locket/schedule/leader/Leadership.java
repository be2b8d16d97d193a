package io.locket.schedule.leader;

import java.util.Optional;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

/**
 * Leadership status: of all processes of a group, one leads and fires its schedules.
 * Thread-safe.
 */
public final class Leadership {

	/**
	 * Name in the key of the leader's lease.
	 */
	public static final String NAME = "locket.leader";

	private final LeaseService leases;

	private final String group;

	private final JobKey key;

	private volatile @Nullable Lease lease;

	/**
	 * Creates a status. A process that takes part in no {@link LeaderElection} never
	 * leads.
	 * @param leases the lease service of the leader's lease
	 * @param namespace the namespace of the schedules
	 * @param group the group of processes that elect one leader
	 */
	public Leadership(LeaseService leases, String namespace, String group) {
		this.leases = leases;
		this.group = group;
		this.key = leases.keyOf(NAME, namespace, group);
	}

	/**
	 * Returns the group of processes that elect one leader.
	 * @return the group
	 */
	public String group() {
		return this.group;
	}

	/**
	 * Returns whether this process leads, as far as it knows. It does not call the store:
	 * a process that was frozen detects with its own clock that its lease may have ended.
	 * @return {@code true} while it holds the leader's lease
	 */
	public boolean isLeader() {
		return term() != 0;
	}

	/**
	 * Returns the term in which this process leads, as far as it knows. It is the fencing
	 * token of the leader's lease, and greater than that of all earlier leaders.
	 * @return the term, or {@code 0} if this process does not lead
	 */
	public long term() {
		Lease current = this.lease;
		return (current != null && current.isHeld()) ? current.fencingToken() : 0;
	}

	/**
	 * Finds the leader. The result is advisory: it may be outdated on return.
	 * @return the leader, or empty if no process leads
	 * @throws io.locket.LeaseUnavailableException if the store does not reply
	 */
	public Optional<LeaseHolder> leader() {
		return this.leases.find(this.key).map(HeldLease::holder);
	}

	/**
	 * Returns the key of the leader's lease.
	 */
	JobKey key() {
		return this.key;
	}

	synchronized void begin(Lease lease) {
		this.lease = lease;
	}

	/**
	 * Ends the leadership of a lease, unless a later lease has begun.
	 */
	synchronized void end(Lease lease) {
		if (this.lease == lease) {
			this.lease = null;
		}
	}

}
