package io.locket.event;

/**
 * Event of the leadership of this process. Also published as an application event.
 * Published on a separate thread of Locket, a little after the change, so that the leader
 * does not wait for listeners. A slow listener delays the later events of the leader.
 */
public sealed interface LeadershipEvent extends JobEvent permits LeadershipGained, LeadershipLost {

	/**
	 * Returns the term, which grows with each leader of the fleet.
	 * @return the fencing token of the leader's lease
	 */
	long term();

}
