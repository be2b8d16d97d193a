package io.locket.queue.redis;

import java.util.EnumMap;
import java.util.Map;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import tools.jackson.databind.JsonNode;

/**
 * Reads the counters of a queue as scripts write them.
 */
final class CountsFormat {

	private CountsFormat() {
	}

	static QueueCounts read(String queue, JsonNode counters) {
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			states.put(state, counters.path(RecordFormat.lower(state)).asLong(0));
		}
		return new QueueCounts(queue, counters.has("paused"), counters.path("accepted").asLong(0),
				counters.path("moved_in").asLong(0), counters.path("moved_out").asLong(0), states,
				counters.path("letters").asLong(0));
	}

}
