package io.locket.observation;

import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON form of the trace fields that are stored with a job: an object with string values.
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
	 * Reads the trace fields of a job. A text in another form does not fail the run.
	 * @param trace the text, or {@code null}
	 * @return the fields, none if the text has another form
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
			logger.debug("The trace of a job was not written by Locket. Its run starts a trace of its own", ex);
			return Map.of();
		}
	}

}
