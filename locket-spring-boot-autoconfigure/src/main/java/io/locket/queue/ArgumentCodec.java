package io.locket.queue;

import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.ClassUtils;

/**
 * Writes the arguments of jobs as JSON arrays, and reads them into the declared parameter
 * types and no others: a payload names no types, also if the application's mapper has
 * default typing. Times are text and keep their zones. Thread-safe.
 */
public final class ArgumentCodec {

	private final JsonMapper mapper;

	private final Map<Method, ParameterTypes> types = new ConcurrentHashMap<>();

	/**
	 * Create a codec with a mapper of its own.
	 */
	public ArgumentCodec() {
		this(new JsonMapper());
	}

	/**
	 * Create a codec.
	 * @param mapper writes and reads what is in the arguments; it is copied
	 */
	public ArgumentCodec(JsonMapper mapper) {
		this.mapper = mapper.rebuild()
			.deactivateDefaultTyping()
			.disable(SerializationFeature.INDENT_OUTPUT, SerializationFeature.CLOSE_CLOSEABLE)
			.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.FAIL_ON_SELF_REFERENCES)
			.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
			.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE,
					DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE, DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
			.build();
	}

	/**
	 * Write arguments. What was written is read once, so that arguments that would not
	 * come back are refused here and not by a worker.
	 * @param method the job method
	 * @param args the arguments
	 * @return a JSON array
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be written or would not come back; the message tells no values
	 */
	public String write(Method method, @Nullable Object[] args) {
		ParameterTypes parameters = parameters(method);
		requireCount(parameters, args);
		StringWriter json = new StringWriter();
		try (JsonGenerator generator = this.mapper.createGenerator(json)) {
			generator.writeStartArray();
			for (int i = 0; i < args.length; i++) {
				write(generator, parameters, i, args[i]);
			}
			generator.writeEndArray();
		}
		String text = json.toString();
		try {
			read(method, text);
		}
		catch (UnreadableArgumentsException ex) {
			throw new IllegalArgumentException("What is written would not come back. " + ex.getMessage(), ex);
		}
		return text;
	}

	private void write(JsonGenerator generator, ParameterTypes parameters, int index, @Nullable Object value) {
		if (parameters.isOpen(index)) {
			throw new IllegalArgumentException(
					parameters.describe(index) + " cannot be queued: the type variable does not tell what to read."
							+ " Override the method with the type that it stands for");
		}
		if (value == null) {
			generator.writeNull();
			return;
		}
		try {
			this.mapper.writerFor(parameters.get(index)).writeValue(generator, value);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new IllegalArgumentException(parameters.describe(index) + " cannot be written as JSON: a "
					+ value.getClass().getTypeName() + " failed with " + reason(ex)
					+ ". Use values such as numbers, strings, dates and records of them");
		}
	}

	/**
	 * Read arguments.
	 * @param method the job method
	 * @param json a JSON array
	 * @return the arguments
	 * @throws UnreadableArgumentsException if the text is no array of as many elements as
	 * the method has parameters, or if one cannot be read as the declared type
	 */
	public @Nullable Object[] read(Method method, String json) {
		return read(parameters(method), json);
	}

	/**
	 * Read arguments whose method is not known here.
	 * @param types what to read them into, one type for each argument
	 * @param json a JSON array
	 * @return the arguments
	 * @throws UnreadableArgumentsException if the text is no array of as many elements as
	 * there are types, or if one cannot be read as its type
	 */
	public @Nullable Object[] read(List<Type> types, String json) {
		return read(ParameterTypes.of(types, this.mapper.getTypeFactory()), json);
	}

	private @Nullable Object[] read(ParameterTypes parameters, String json) {
		@Nullable Object[] args = new @Nullable Object[parameters.count()];
		try (JsonParser parser = this.mapper.createParser(json)) {
			if (next(parser, parameters) != JsonToken.START_ARRAY) {
				throw new UnreadableArgumentsException("The arguments of " + parameters + " are no JSON array");
			}
			int count = 0;
			for (JsonToken token = next(parser, parameters); token != JsonToken.END_ARRAY; token = next(parser,
					parameters)) {
				if (token == null || count == args.length) {
					throw wrongCount(parameters, (token != null) ? "more" : "an unknown number of");
				}
				args[count] = read(parser, token, parameters, count);
				count++;
			}
			if (count != args.length) {
				throw wrongCount(parameters, String.valueOf(count));
			}
			if (next(parser, parameters) != null) {
				throw new UnreadableArgumentsException("Something follows the arguments of " + parameters);
			}
		}
		return args;
	}

	private static @Nullable JsonToken next(JsonParser parser, ParameterTypes parameters) {
		try {
			return parser.nextToken();
		}
		catch (RuntimeException ex) {
			throw new UnreadableArgumentsException("The arguments of " + parameters + " are no JSON: " + reason(ex));
		}
	}

	private @Nullable Object read(JsonParser parser, JsonToken token, ParameterTypes parameters, int index) {
		JavaType type = parameters.get(index);
		if (token == JsonToken.VALUE_NULL && type.isPrimitive()) {
			throw new UnreadableArgumentsException(parameters.describe(index) + " is null");
		}
		try {
			return this.mapper.readerFor(type).readValue(parser);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new UnreadableArgumentsException(parameters.describe(index) + " cannot be read: " + reason(ex));
		}
	}

	private static UnreadableArgumentsException wrongCount(ParameterTypes parameters, String count) {
		return new UnreadableArgumentsException(
				parameters + " takes " + parameters.count() + " argument(s), but there are " + count);
	}

	/**
	 * Convert arguments to the parameter types, as if they had been written and read:
	 * {@code 42} becomes a {@code long}, {@code "2026-05"} a {@code YearMonth}. Numbers
	 * with a fraction do not become whole ones.
	 * @param method the job method
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message tells no values
	 */
	public @Nullable Object[] convert(Method method, @Nullable Object[] args) {
		ParameterTypes parameters = parameters(method);
		requireCount(parameters, args);
		@Nullable Object[] converted = new @Nullable Object[args.length];
		for (int i = 0; i < args.length; i++) {
			converted[i] = convert(parameters, i, args[i]);
		}
		return converted;
	}

	private @Nullable Object convert(ParameterTypes parameters, int index, @Nullable Object value) {
		JavaType type = parameters.get(index);
		if (value == null && type.isPrimitive()) {
			throw new IllegalArgumentException(parameters.describe(index) + " is null");
		}
		if (value == null || (!type.hasGenericTypes() && !type.isContainerType()
				&& ClassUtils.isAssignableValue(type.getRawClass(), value))) {
			return value;
		}
		try {
			return this.mapper.convertValue(value, type);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new IllegalArgumentException(parameters.describe(index) + " cannot be made of a "
					+ value.getClass().getTypeName() + ": " + reason(ex));
		}
	}

	/**
	 * Return whether two texts are the same JSON, however they are written. What is no
	 * JSON is the same as nothing else.
	 * @param one a text
	 * @param other another one
	 * @return {@code true} if they say the same
	 */
	public boolean isSame(String one, String other) {
		if (one.equals(other)) {
			return true;
		}
		try {
			return this.mapper.readTree(one).equals(this.mapper.readTree(other));
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private ParameterTypes parameters(Method method) {
		return this.types.computeIfAbsent(method, (key) -> ParameterTypes.of(key, this.mapper.getTypeFactory()));
	}

	private static void requireCount(ParameterTypes parameters, @Nullable Object[] args) {
		if (args.length != parameters.count()) {
			throw new IllegalArgumentException(
					parameters + " takes " + parameters.count() + " argument(s), but there are " + args.length);
		}
	}

	/**
	 * Return what failed, without the values that Jackson's messages quote.
	 */
	private static String reason(Throwable failure) {
		Class<?> type = (failure instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		return failure.getClass().getSimpleName() + ((type != null) ? " for " + type.getTypeName() : "");
	}

}
