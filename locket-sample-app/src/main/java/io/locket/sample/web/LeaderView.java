package io.locket.sample.web;

import java.time.Instant;

import io.locket.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * The leader of the fleet as the outside sees it.
 *
 * @param instance the process that leads
 * @param here whether that is this one
 * @param since when it began to lead, or {@code null} if that is not known
 * @param term its term: a later leader has a greater one
 */
record LeaderView(String instance, boolean here, @Nullable Instant since, long term) {

	static LeaderView of(LeaseHolder leader, long termHere) {
		return new LeaderView(leader.instance(), leader.fencingToken() == termHere, leader.since(),
				leader.fencingToken());
	}

}
