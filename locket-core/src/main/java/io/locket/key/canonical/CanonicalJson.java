package io.locket.key.canonical;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writer of canonical JSON. Equal values have the same text, whatever Java type carries
 * them, and different values have different texts. It has a mapper of its own, so that
 * customizations of the application's mapper do not change keys. Thread-safe.
 */
public final class CanonicalJson {

	private final JsonMapper mapper = JsonMapper.builder()
		.addModule(new CanonicalModule())
		.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.FAIL_ON_SELF_REFERENCES,
				SerializationFeature.WRAP_EXCEPTIONS, SerializationFeature.WRITE_EMPTY_JSON_ARRAYS)
		.disable(SerializationFeature.CLOSE_CLOSEABLE, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS,
				SerializationFeature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
		.disable(MapperFeature.PROPAGATE_TRANSIENT_MARKER)
		.build();

	/**
	 * Writes a value.
	 * @param value the value
	 * @return its canonical JSON
	 * @throws CanonicalJsonException if it has none; the message contains no values
	 */
	public String write(@Nullable Object value) {
		String plain = PlainValues.write(value);
		return (plain != null) ? plain : serialize(value);
	}

	private String serialize(@Nullable Object value) {
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
