package io.locket.event;

/**
 * This process has begun or ceased to lead. Published as an application event too, on the
 * thread of the leader's election.
 */
public sealed interface LeadershipEvent extends JobEvent permits LeadershipGained, LeadershipLost {

	/**
	 * Return the term: it grows with each leader of the fleet.
	 * @return the fencing token of the leader's lease
	 */
	long term();

}
