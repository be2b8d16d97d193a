package io.locket.schedule.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.locket.queue.EnqueueResult;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.StoredSchedule;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Codec of schedules: a line of JSON with short names, documented in {@code book.lua},
 * and the JSON of the definition.
 */
final class ScheduleFormat {

	private static final Log logger = LogFactory.getLog(ScheduleFormat.class);

	private static final int VERSION = 1;

	private static final String DAMAGED = " is damaged and does not fire: put it again, or remove it";

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final Function<List<?>, EnqueueResult> resultReader;

	/**
	 * Logged reasons why schedules cannot be read, by their names.
	 */
	private final Map<String, String> warned = new ConcurrentHashMap<>();

	/**
	 * Creates a format.
	 * @param resultReader the parser of the results of enqueuing
	 */
	ScheduleFormat(Function<List<?>, EnqueueResult> resultReader) {
		this.resultReader = resultReader;
	}

	static String code(ScheduleOrigin origin) {
		return origin.name().substring(0, 1).toLowerCase(Locale.ROOT);
	}

	/**
	 * Writes a definition, without its name, group, origin and whether it is enabled,
	 * which are in the line.
	 */
	String write(ScheduleDefinition definition) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("version", VERSION);
		body.put("job", definition.job());
		body.put("arguments", definition.arguments());
		putIfSet(body, "queue", definition.queue());
		putIfSet(body, "cron", definition.cron());
		putIfSet(body, "every", millis(definition.every()));
		body.put("zone", definition.zone().getId());
		body.put("misfire", definition.misfire().name());
		putIfSet(body, "catchUp", millis(definition.catchUp()));
		putIfSet(body, "description", definition.description());
		return this.mapper.writeValueAsString(body);
	}

	private static void putIfSet(Map<String, Object> body, String name, @Nullable Object value) {
		if (value != null) {
			body.put(name, value);
		}
	}

	private static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	/**
	 * Reads a record whose definition may be damaged, or of a later version of Locket.
	 * @return the schedule, or empty if it cannot be read
	 */
	Optional<StoredSchedule> find(String name, String text) {
		JsonNode line = null;
		try {
			int end = text.indexOf('\n');
			line = this.mapper.readTree(text.substring(0, end));
			JsonNode body = this.mapper.readTree(text.substring(end + 1));
			if (body.path("version").asInt(0) > VERSION) {
				warn(name, line,
						" is of a later version of Locket and does not fire from this process: update this process",
						null);
				return Optional.empty();
			}
			StoredSchedule schedule = read(name, line, body);
			this.warned.remove(name);
			return Optional.of(schedule);
		}
		catch (RuntimeException ex) {
			// A record may be damaged in any way. It must not affect the others.
			warn(name, line, DAMAGED, ex);
			return Optional.empty();
		}
	}

	/**
	 * Logs a record that a script has found to be damaged.
	 */
	void damaged(String name, String text) {
		warn(name, text, DAMAGED, null);
	}

	/**
	 * Logs a problem once for each state of a schedule. While it fires in other
	 * processes, its record changes without a change of its revision.
	 */
	private void warn(String name, @Nullable Object line, String why, @Nullable Exception failure) {
		String state = (line instanceof JsonNode node) ? "r" + node.path("r") : String.valueOf(line).hashCode() + why;
		if (!state.equals(this.warned.put(name, state))) {
			logger.warn("Schedule '" + name + "'" + why, failure);
		}
	}

	private StoredSchedule read(String name, JsonNode line, JsonNode body) {
		ScheduleDefinition definition = new ScheduleDefinition(name, line.path("g").asString(""),
				body.path("job").asString(""), body.path("arguments").asString("[]"), text(body, "queue"),
				text(body, "cron"), duration(body, "every"), ZoneId.of(body.path("zone").asString("")),
				Misfire.valueOf(body.path("misfire").asString("")), duration(body, "catchUp"), !line.has("of"),
				text(body, "description"), origin(line.path("o").asString("")));
		return new StoredSchedule(definition, line.path("r").asLong(), line.has("p"), time(line, "s"), time(line, "f"),
				line.has("lf") ? time(line, "lf") : null,
				line.has("la") ? this.resultReader.apply(texts(line.path("la"))) : null);
	}

	private static Instant time(JsonNode line, String name) {
		return Instant.ofEpochMilli(line.path(name).asLong());
	}

	private static ScheduleOrigin origin(String code) {
		for (ScheduleOrigin origin : ScheduleOrigin.values()) {
			if (code(origin).equals(code)) {
				return origin;
			}
		}
		throw new IllegalArgumentException("'" + code + "' is not an origin of a schedule");
	}

	private static @Nullable String text(JsonNode node, String name) {
		return node.has(name) ? node.path(name).asString() : null;
	}

	private static @Nullable Duration duration(JsonNode node, String name) {
		return node.has(name) ? Duration.ofMillis(node.path(name).asLong()) : null;
	}

	private static List<String> texts(JsonNode array) {
		List<String> texts = new ArrayList<>();
		array.forEach((element) -> texts.add(element.asString()));
		return texts;
	}

}
