package io.locket.queue.redis.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.locket.queue.redis.format.RunTokens;
import io.locket.queue.spi.ReservationRequest;
import io.locket.queue.spi.RunEnd;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encoder of failed runs for {@code fail.lua}, which describes its arguments.
 */
public final class FailureFormat {

	/**
	 * Maximum number of runs that one call ends.
	 */
	static final int MOST_RUNS = 100;

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
		.disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
		.build();

	private final String settings;

	/**
	 * Creates a format.
	 * @param settings the settings of the script
	 */
	public FailureFormat(String settings) {
		this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
	}

	/**
	 * Returns whether the script can end some runs: they have failed, and store nothing
	 * else.
	 * @param ends the ends of the runs
	 * @return whether it can
	 */
	public boolean covers(List<RunEnd> ends) {
		return ends.size() <= MOST_RUNS && ends.stream()
			.allMatch((end) -> (end.kind() == RunEnd.Kind.RETRY || end.kind() == RunEnd.Kind.DEAD)
					&& end.progress() == null && end.error() != null && !end.error().isEmpty());
	}

	/**
	 * Returns the arguments of failed runs.
	 * @param ends the ends of the runs
	 * @param next the request that follows, or {@code null} for none
	 * @return the arguments after those that every script has
	 */
	public List<Object> arguments(List<RunEnd> ends, @Nullable ReservationRequest next) {
		List<Object> arguments = new ArrayList<>(2 + 6 * ends.size());
		arguments.add(this.settings);
		arguments.add(limits(next));
		for (RunEnd end : ends) {
			arguments.add(end.id());
			arguments.add(RunTokens.nonce(end.token()));
			arguments.add((end.kind() == RunEnd.Kind.RETRY) ? Long.toString(end.delay().toMillis()) : "");
			arguments.add(Objects.requireNonNull(end.error()));
			arguments.add(Objects.requireNonNullElse(end.stackTrace(), ""));
			arguments.add(json(end.error()));
		}
		return arguments;
	}

	/**
	 * Returns a text as the JSON of Redis has it, which also escapes slashes and DEL.
	 */
	private String json(String text) {
		return this.mapper.writeValueAsString(text).replace("\u007f", "\\u007f");
	}

	private static String limits(@Nullable ReservationRequest next) {
		StringBuilder limits = new StringBuilder(" ");
		if (next != null) {
			next.queues()
				.forEach((queue) -> limits.append(queue.queue())
					.append('=')
					.append(Math.max(queue.maxRunning(), 0))
					.append(' '));
		}
		return limits.toString();
	}

}
