package io.locket.queue.redis.format;

import java.nio.BufferUnderflowException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decoder of the counters of a queue. {@code counters.lua} describes their format.
 */
public final class CountsFormat {

	private static final Log logger = LogFactory.getLog(CountsFormat.class);

	private static final List<String> NUMBERS = List.of("seq", "accepted", "ready", "running", "succeeded",
			"removed_at", "paused", "unlisted", "scheduled", "parked", "retry", "discarded", "superseded", "dead",
			"cancelled", "removed", "letters", "moved_in", "moved_out", "unreadable", "lost");

	private static final int SIZE = 7;

	private static final JsonMapper mapper = JsonMapper.builder().build();

	private CountsFormat() {
	}

	public static QueueCounts read(String queue, byte @Nullable [] bytes) {
		Map<String, Long> counters = (bytes != null) ? numbers(queue, bytes) : Map.of();
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		for (JobState state : JobState.values()) {
			states.put(state, number(counters, RecordFormat.lower(state)));
		}
		return new QueueCounts(queue, number(counters, "paused") == 1, number(counters, "accepted"),
				number(counters, "moved_in"), number(counters, "moved_out"), states, number(counters, "letters"),
				number(counters, "unreadable"), number(counters, "lost"));
	}

	private static long number(Map<String, Long> counters, String name) {
		return counters.getOrDefault(name, 0L);
	}

	private static Map<String, Long> numbers(String queue, byte[] bytes) {
		try {
			FieldReader reader = new FieldReader(bytes);
			requireVersion(reader.number(1));
			reader.behind((int) reader.number(1) * SIZE);
			Map<String, Long> numbers = new LinkedHashMap<>();
			NUMBERS.forEach((name) -> numbers.put(name, reader.signed(SIZE)));
			return numbers;
		}
		catch (BufferUnderflowException | IllegalArgumentException ex) {
			logger.warn("The counters of a queue cannot be read and count as zero:"
					+ " JobAdministration.repair() restores them. Queue: " + queue, ex);
			return Map.of();
		}
	}

	private static void requireVersion(long version) {
		if (version < 1 || version > ' ') {
			throw new IllegalArgumentException("Unknown version of counters: " + version);
		}
	}

	/**
	 * Returns the names of the jobs that are set aside in a queue.
	 * @param bytes the counters
	 * @return the names of the jobs that are set aside in a queue
	 */
	public static Collection<String> asides(byte @Nullable [] bytes) {
		if (bytes == null) {
			return Set.of();
		}
		try {
			FieldReader reader = new FieldReader(bytes);
			reader.skip(1);
			reader.skip((int) reader.number(1) * SIZE);
			return mapper.readTree(reader.rest()).propertyNames();
		}
		catch (BufferUnderflowException | JacksonException ex) {
			logger.debug("Damaged counters contain no names of jobs", ex);
			return Set.of();
		}
	}

}
