package io.locket.schedule;

import java.util.Optional;

import io.locket.JobKey;
import io.locket.LeaseHolder;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import org.jspecify.annotations.Nullable;

/**
 * Who leads: of all processes of a group, the one that fires its schedules. Thread-safe.
 */
public final class Leadership {

	/**
	 * The name in the key of the leader's lease.
	 */
	public static final String NAME = "locket.leader";

	private final LeaseService leases;

	private final JobKey key;

	private volatile @Nullable Lease lease;

	/**
	 * Create a status. A process that takes part in no {@link LeaderElection} never
	 * leads.
	 * @param leases keeps the leader's lease
	 * @param namespace the namespace of the schedules
	 * @param group the processes that elect one leader
	 */
	public Leadership(LeaseService leases, String namespace, String group) {
		this.leases = leases;
		this.key = leases.keyOf(NAME, namespace, group);
	}

	/**
	 * Return whether this process leads, as far as it knows. Asks nobody: a process that
	 * was frozen learns from its own clock that its lease can have ended.
	 * @return {@code true} while it holds the leader's lease
	 */
	public boolean isLeader() {
		return term() != 0;
	}

	/**
	 * Return the term in which this process leads, as far as it knows. It is the fencing
	 * token of the leader's lease: each leader of the fleet has a greater one than those
	 * before it.
	 * @return the term, or {@code 0} if this process does not lead
	 */
	public long term() {
		Lease current = this.lease;
		return (current != null && current.isHeld()) ? current.fencingToken() : 0;
	}

	/**
	 * Look who leads. Advisory: may be out of date when it returns.
	 * @return the leader, or empty if nobody leads
	 * @throws io.locket.LeaseUnavailableException if the store gives no answer
	 */
	public Optional<LeaseHolder> leader() {
		return this.leases.find(this.key).map(HeldLease::holder);
	}

	/**
	 * Return the key of the leader's lease.
	 */
	JobKey key() {
		return this.key;
	}

	synchronized void begin(Lease lease) {
		this.lease = lease;
	}

	/**
	 * This process leads by a lease no longer, which says nothing of a later one.
	 */
	synchronized void end(Lease lease) {
		if (this.lease == lease) {
			this.lease = null;
		}
	}

}
