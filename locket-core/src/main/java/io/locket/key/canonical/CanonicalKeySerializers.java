package io.locket.key.canonical;

import java.net.URI;
import java.util.Currency;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.Serializers;

/**
 * Serializers for the keys of maps. Strings and numbers are written as they are as
 * values. Types whose text is not known to represent their value are refused.
 */
final class CanonicalKeySerializers implements Serializers {

	private static final Set<Class<?>> PLAIN = Set.of(Boolean.class, Character.class, UUID.class, URI.class,
			Currency.class);

	@Override
	public ValueSerializer<?> findSerializer(SerializationConfig config, JavaType type,
			BeanDescription.Supplier beanDescription, JsonFormat.@Nullable Value format) {
		return new KeySerializer();
	}

	private static String text(Object key) {
		if (key instanceof Enum<?> constant) {
			return constant.name();
		}
		if (key instanceof Double || key instanceof Float) {
			return (key instanceof Double number) ? CanonicalText.ofDouble(number) : CanonicalText.ofFloat((Float) key);
		}
		if (key instanceof DoubleAdder || key instanceof DoubleAccumulator) {
			return CanonicalText.ofDouble(((Number) key).doubleValue());
		}
		if (key instanceof Number) {
			return CanonicalText.ofNumeral(key.toString());
		}
		if (key instanceof Class<?> type) {
			return type.getName();
		}
		if (PLAIN.contains(key.getClass())) {
			return key.toString();
		}
		Function<Object, String> writer = ScalarText.writer(key.getClass());
		if (writer == null) {
			throw new CanonicalJsonException(
					"a " + key.getClass().getTypeName() + " as the key of a map has no canonical text");
		}
		return writer.apply(key);
	}

	/**
	 * Writes the key of a map as a name.
	 */
	private static final class KeySerializer extends ValueSerializer<Object> {

		@Override
		public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
			generator.writeName(text(value));
		}

	}

}
