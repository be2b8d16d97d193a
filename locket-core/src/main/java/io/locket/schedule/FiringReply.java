package io.locket.schedule;

import java.time.Instant;
import java.util.List;

/**
 * Reply of the store to the leader.
 *
 * @param time the time of the store's clock
 * @param results a result for each firing, in their order
 */
public record FiringReply(Instant time, List<FiringResult> results) {

	public FiringReply {
		results = List.copyOf(results);
	}

}
