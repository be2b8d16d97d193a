package io.locket.key.canonical;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.Channel;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Serializers for values that Jackson would write in a lossy way. Values that can be read
 * only once are refused. So are trees of other JSON libraries, which look empty to
 * Jackson.
 */
final class CanonicalSerializers implements Serializers {

	private static final Set<Class<?>> ONE_SHOT = Set.of(Iterator.class, Spliterator.class, Enumeration.class,
			BaseStream.class, InputStream.class, OutputStream.class, Reader.class, Writer.class, Channel.class,
			Future.class, CompletionStage.class, Flow.Publisher.class);

	private static final Set<String> ONE_SHOT_NAMES = Set.of("org.reactivestreams.Publisher");

	private static final Set<String> OPAQUE_NAMES = Set.of("com.fasterxml.jackson.core.TreeNode",
			"com.google.gson.JsonElement", "org.json.JSONArray", "org.json.JSONObject");

	@Override
	public @Nullable ValueSerializer<?> findSerializer(SerializationConfig config, JavaType type,
			BeanDescription.Supplier beanDescription, JsonFormat.@Nullable Value format) {
		Class<?> raw = type.getRawClass();
		Set<String> names = typeNames(raw);
		if (ONE_SHOT.stream().anyMatch((oneShot) -> oneShot.isAssignableFrom(raw))
				|| names.stream().anyMatch(ONE_SHOT_NAMES::contains)) {
			return new Refusing(() -> CanonicalJsonException.oneShot(raw));
		}
		if (names.stream().anyMatch(OPAQUE_NAMES::contains)) {
			return new Refusing(() -> CanonicalJsonException.opaque(raw));
		}
		if (raw == Float.class || raw == float.class) {
			return new AsFloat();
		}
		if (raw == Double.class || raw == double.class || DoubleAdder.class.isAssignableFrom(raw)
				|| DoubleAccumulator.class.isAssignableFrom(raw)) {
			return new AsDouble();
		}
		Function<Object, String> writer = ScalarText.writer(raw);
		return (writer != null) ? new AsString(writer) : null;
	}

	@Override
	public ValueSerializer<?> findEnumSerializer(SerializationConfig config, JavaType type,
			BeanDescription.Supplier beanDescription, JsonFormat.@Nullable Value format) {
		return new AsString((value) -> ((Enum<?>) value).name());
	}

	/**
	 * Returns the names of a type and of all its parents.
	 * @param type the type
	 * @return the names
	 */
	static Set<String> typeNames(Class<?> type) {
		Set<String> names = new LinkedHashSet<>();
		collectTypeNames(type, names);
		return names;
	}

	private static void collectTypeNames(@Nullable Class<?> type, Set<String> names) {
		if (type != null && names.add(type.getName())) {
			collectTypeNames(type.getSuperclass(), names);
			for (Class<?> parent : type.getInterfaces()) {
				collectTypeNames(parent, names);
			}
		}
	}

	/**
	 * Serializer that writes a value as a string.
	 */
	private static final class AsString extends StdScalarSerializer<Object> {

		private final Function<Object, String> writer;

		AsString(Function<Object, String> writer) {
			super(Object.class);
			this.writer = writer;
		}

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			generator.writeString(this.writer.apply(value));
		}

	}

	/**
	 * Serializer that writes numbers that hold a {@code double} as such, whatever their
	 * format, because their own text depends on the JDK.
	 */
	private static final class AsDouble extends StdScalarSerializer<Object> {

		AsDouble() {
			super(Object.class);
		}

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			generator.writeNumber(((Number) value).doubleValue());
		}

	}

	/**
	 * Serializer that writes a {@code float} as a number, whatever its format.
	 */
	private static final class AsFloat extends StdScalarSerializer<Object> {

		AsFloat() {
			super(Object.class);
		}

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			generator.writeNumber((Float) value);
		}

	}

	/**
	 * Serializer that refuses a value.
	 */
	static final class Refusing extends StdScalarSerializer<Object> {

		private final Supplier<CanonicalJsonException> refusal;

		Refusing(Supplier<CanonicalJsonException> refusal) {
			super(Object.class);
			this.refusal = refusal;
		}

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			throw this.refusal.get();
		}

	}

}
