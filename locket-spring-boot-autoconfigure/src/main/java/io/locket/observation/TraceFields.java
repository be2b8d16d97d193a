package io.locket.observation;

import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fields of a trace as they travel with a job: an object of JSON, whose values are
 * strings.
 */
final class TraceFields {

	private static final Log logger = LogFactory.getLog(TraceFields.class);

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final TypeReference<Map<String, String>> FIELDS = new TypeReference<>() {
	};

	private TraceFields() {
	}

	static @Nullable String write(@Nullable Map<String, String> fields) {
		return (fields != null && !fields.isEmpty()) ? JSON.writeValueAsString(fields) : null;
	}

	/**
	 * Read what has travelled. What others have stored there is no reason not to run.
	 * @param trace the text, or {@code null}
	 * @return the fields, none if the text is something else
	 */
	static Map<String, String> read(@Nullable String trace) {
		if (trace == null) {
			return Map.of();
		}
		try {
			Map<String, String> fields = JSON.readValue(trace, FIELDS);
			return (fields != null) ? fields : Map.of();
		}
		catch (JacksonException ex) {
			logger.debug("A job has a trace that is not Locket's: its run begins one of its own", ex);
			return Map.of();
		}
	}

}
