package io.locket.queue.argument;

import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.queue.UnreadableArgumentsException;
import io.locket.text.Utf8Text;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/**
 * JSON codec for the arguments of jobs. It writes a JSON array and reads each element
 * into the declared parameter type, and into no other type. A payload never contains type
 * names, even if the application's mapper uses default typing. Dates and times are text
 * and keep their zones. Thread-safe.
 */
public final class ArgumentCodec {

	/**
	 * Reason why an argument cannot be read.
	 */
	public static final String OPEN = "its type variable is not resolved";

	/**
	 * Remedy for {@link #OPEN}.
	 */
	public static final String OPEN_ADVICE = "Override the method with the actual type";

	private final JsonMapper mapper;

	private final Map<MethodClassKey, ParameterTypes> types = new ConcurrentHashMap<>();

	/**
	 * Creates a codec with a default mapper.
	 */
	public ArgumentCodec() {
		this(new JsonMapper());
	}

	/**
	 * Creates a codec.
	 * @param mapper the mapper for the elements of the arguments; it is copied
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
	 * Writes arguments. The result is read back at once, so that arguments that cannot be
	 * restored are rejected here and not by a worker.
	 * @param method the job method
	 * @param type the class of the bean, which resolves type variables
	 * @param args the arguments
	 * @return a JSON array
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be written or cannot be restored; the message contains no values
	 */
	public String write(Method method, Class<?> type, @Nullable Object[] args) {
		ParameterTypes parameters = parameters(method, type);
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
		requireWellFormed(parameters, args, text);
		try {
			read(parameters, text);
		}
		catch (UnreadableArgumentsException ex) {
			throw new IllegalArgumentException("The written arguments cannot be restored. " + ex.getMessage()
					+ ". Use types that Jackson can also create, such as records, or pass an id", ex);
		}
		return text;
	}

	/**
	 * Rejects unpaired surrogates. UTF-8 cannot represent them, so the worker would read
	 * a different text.
	 */
	private void requireWellFormed(ParameterTypes parameters, @Nullable Object[] args, String text) {
		if (Utf8Text.isWellFormed(text)) {
			return;
		}
		for (int i = 0; i < args.length; i++) {
			if (args[i] != null && !Utf8Text.isWellFormed(parameters.writer(i).writeValueAsString(args[i]))) {
				throw new IllegalArgumentException(parameters.describe(i)
						+ " cannot be queued: its text has an unpaired surrogate, which cannot be stored as UTF-8."
						+ " Split text at code points, not at chars");
			}
		}
		throw new IllegalArgumentException("The arguments of " + parameters
				+ " cannot be queued: their text has an unpaired surrogate, which cannot be stored as UTF-8");
	}

	private void write(JsonGenerator generator, ParameterTypes parameters, int index, @Nullable Object value) {
		if (parameters.isOpen(index)) {
			throw new IllegalArgumentException(
					parameters.describe(index) + " cannot be queued: " + OPEN + ". " + OPEN_ADVICE);
		}
		if (value == null) {
			generator.writeNull();
			return;
		}
		try {
			parameters.writer(index).writeValue(generator, value);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new IllegalArgumentException(parameters.describe(index) + " cannot be written as JSON, as a "
					+ value.getClass().getTypeName() + ": " + FailureText.of(ex)
					+ ". Use values such as numbers, strings, dates and records of them");
		}
	}

	/**
	 * Reads arguments.
	 * @param method the job method
	 * @param type the class of the bean, which resolves type variables
	 * @param json a JSON array
	 * @return the arguments
	 * @throws UnreadableArgumentsException if the text is not an array with one element
	 * for each parameter, or if an element cannot be read as its type
	 */
	public @Nullable Object[] read(Method method, Class<?> type, String json) {
		return read(parameters(method, type), json);
	}

	/**
	 * Reads arguments of a job whose method this process does not have.
	 * @param types the types to read, one for each argument
	 * @param json a JSON array
	 * @return the arguments
	 * @throws UnreadableArgumentsException if the text is not an array with one element
	 * for each type, or if an element cannot be read as its type
	 */
	public @Nullable Object[] read(List<Type> types, String json) {
		return read(ParameterTypes.of(types, this.mapper), json);
	}

	private @Nullable Object[] read(ParameterTypes parameters, String json) {
		@Nullable Object[] args = new @Nullable Object[parameters.count()];
		try (JsonParser parser = this.mapper.createParser(json)) {
			if (next(parser, parameters) != JsonToken.START_ARRAY) {
				throw new UnreadableArgumentsException("The arguments of " + parameters + " are not a JSON array");
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
				throw new UnreadableArgumentsException(
						"The arguments of " + parameters + " are followed by other content");
			}
		}
		return args;
	}

	private static @Nullable JsonToken next(JsonParser parser, ParameterTypes parameters) {
		try {
			return parser.nextToken();
		}
		catch (RuntimeException ex) {
			throw new UnreadableArgumentsException(
					"The arguments of " + parameters + " are not JSON: " + FailureText.of(ex));
		}
	}

	private @Nullable Object read(JsonParser parser, JsonToken token, ParameterTypes parameters, int index) {
		JavaType type = parameters.get(index);
		if (token == JsonToken.VALUE_NULL && type.isPrimitive()) {
			throw new UnreadableArgumentsException(parameters.describe(index) + " is null");
		}
		try {
			return parameters.reader(index).readValue(parser);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new UnreadableArgumentsException(
					parameters.describe(index) + " cannot be read: " + FailureText.of(ex));
		}
	}

	private static UnreadableArgumentsException wrongCount(ParameterTypes parameters, String count) {
		return new UnreadableArgumentsException(
				parameters + " takes " + parameters.describeCount() + ", but there are " + count);
	}

	/**
	 * Converts arguments to the parameter types, as if they had been written and read:
	 * {@code 42} becomes a {@code long}, {@code "2026-05"} a {@code YearMonth}. A number
	 * with a fraction is not converted to an integer type.
	 * @param method the job method
	 * @param type the class of the bean, which resolves type variables
	 * @param args the arguments
	 * @return the converted arguments
	 * @throws IllegalArgumentException if there are too many or too few, or if one cannot
	 * be converted; the message contains no values
	 */
	public @Nullable Object[] convert(Method method, Class<?> type, @Nullable Object[] args) {
		ParameterTypes parameters = parameters(method, type);
		requireCount(parameters, args);
		@Nullable Object[] converted = new @Nullable Object[args.length];
		for (int i = 0; i < args.length; i++) {
			converted[i] = convert(parameters, i, args[i]);
		}
		return converted;
	}

	private @Nullable Object convert(ParameterTypes parameters, int index, @Nullable Object value) {
		JavaType type = parameters.get(index);
		if (value == null) {
			if (type.isPrimitive()) {
				throw new IllegalArgumentException(
						parameters.describe(index) + " is null. Pass a value, or declare the parameter as "
								+ ClassUtils.resolvePrimitiveIfNecessary(type.getRawClass()).getSimpleName());
			}
			return null;
		}
		try {
			return parameters.accepts(index, value) ? value : this.mapper.convertValue(value, type);
		}
		catch (RuntimeException | StackOverflowError ex) {
			throw new IllegalArgumentException(parameters.describe(index) + " cannot be converted from a "
					+ value.getClass().getTypeName() + ": " + FailureText.of(ex)
					+ ". Pass a value of its type, or the text that stands for it in JSON");
		}
	}

	/**
	 * Returns whether two texts are equal as JSON, regardless of formatting. A text that
	 * is not JSON is equal only to itself.
	 * @param one a text
	 * @param other another one
	 * @return {@code true} if they are equal as JSON
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

	private ParameterTypes parameters(Method method, Class<?> type) {
		MethodClassKey signature = new MethodClassKey(method, type);
		ParameterTypes known = this.types.get(signature);
		return (known != null) ? known
				: this.types.computeIfAbsent(signature, (key) -> ParameterTypes.of(method, type, this.mapper));
	}

	/**
	 * Returns the parameters of a method that cannot be read because their type variable
	 * is not resolved.
	 * @param method the job method
	 * @param type the class of the bean
	 * @return a description of each, empty if all can be read
	 */
	public static List<String> openParameters(Method method, Class<?> type) {
		return ParameterTypes.open(method, type);
	}

	private static void requireCount(ParameterTypes parameters, @Nullable Object[] args) {
		if (args.length != parameters.count()) {
			throw new IllegalArgumentException(
					parameters + " takes " + parameters.describeCount() + ", but there are " + args.length);
		}
	}

}
