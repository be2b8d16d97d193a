package io.locket.key;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes values as canonical JSON: values that are equal have one text, whatever Java
 * type carries them, and values that differ have different ones. It has a mapper of its
 * own, so that no customisation of the application's changes keys. Thread-safe.
 */
final class CanonicalJson {

	private final JsonMapper mapper = JsonMapper.builder()
		.addModule(new CanonicalModule())
		.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.FAIL_ON_SELF_REFERENCES,
				SerializationFeature.WRAP_EXCEPTIONS, SerializationFeature.WRITE_EMPTY_JSON_ARRAYS)
		.disable(SerializationFeature.CLOSE_CLOSEABLE, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS,
				SerializationFeature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
		.disable(MapperFeature.PROPAGATE_TRANSIENT_MARKER)
		.build();

	/**
	 * Write a value.
	 * @param value the value
	 * @return its canonical JSON
	 * @throws CanonicalJsonException if it has none; the message tells no values
	 */
	String write(@Nullable Object value) {
		CanonicalGenerator generator = new CanonicalGenerator(this.mapper);
		try {
			this.mapper.writeValue(generator, value);
			return generator.result();
		}
		catch (RuntimeException ex) {
			throw refusal(ex);
		}
		catch (StackOverflowError ex) {
			throw CanonicalJsonException.tooDeep(CanonicalGenerator.MAX_DEPTH);
		}
	}

	private static CanonicalJsonException refusal(RuntimeException ex) {
		Throwable root = ex;
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof CanonicalJsonException) {
				return new CanonicalJsonException(String.valueOf(cause.getMessage()), ex);
			}
			root = cause;
		}
		if (root instanceof InvalidDefinitionException definition && definition.getType() != null) {
			return new CanonicalJsonException("a " + definition.getType().getRawClass().getTypeName()
					+ " has no properties, or is itself one of them, or cannot be written by Jackson", ex);
		}
		return new CanonicalJsonException("writing it failed with " + root.getClass().getName(), ex);
	}

}
