package io.locket.sample.web;

import java.time.Instant;

import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * JSON view of the leader of the fleet.
 *
 * @param instance the process that leads
 * @param here whether it is this process
 * @param since the start of its term, or {@code null} if it is unknown
 * @param term its term, greater than that of each earlier leader
 */
record LeaderView(String instance, boolean here, @Nullable Instant since, long term) {

	static LeaderView of(LeaseHolder leader, long termHere) {
		return new LeaderView(leader.instance(), leader.fencingToken() == termHere, leader.since(),
				leader.fencingToken());
	}

}
