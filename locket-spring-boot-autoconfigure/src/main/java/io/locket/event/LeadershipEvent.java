package io.locket.event;

/**
 * This process has begun or ceased to lead. Published as an application event too, on a
 * thread of Locket's that tells of the leader, a little after the fact: the leader does
 * not wait for listeners, and other events of the leader wait for each.
 */
public sealed interface LeadershipEvent extends JobEvent permits LeadershipGained, LeadershipLost {

	/**
	 * Return the term: it grows with each leader of the fleet.
	 * @return the fencing token of the leader's lease
	 */
	long term();

}
