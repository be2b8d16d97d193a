package io.locket.key.canonical;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.util.NameTransformer;

/**
 * Serializer that writes a bean whose class has a type id with that id. Jackson omits it
 * where the declared type does not define it, as in a list of arguments.
 */
final class TypedBeanSerializer extends ValueSerializer<Object> {

	private final ValueSerializer<Object> delegate;

	@SuppressWarnings("unchecked")
	TypedBeanSerializer(ValueSerializer<?> delegate) {
		this.delegate = (ValueSerializer<Object>) delegate;
	}

	@Override
	public void resolve(SerializationContext context) {
		this.delegate.resolve(context);
	}

	@Override
	public ValueSerializer<?> createContextual(SerializationContext context, BeanProperty property) {
		return new TypedBeanSerializer(this.delegate.createContextual(context, property));
	}

	@Override
	public ValueSerializer<Object> unwrappingSerializer(NameTransformer unwrapper) {
		return this.delegate.unwrappingSerializer(unwrapper);
	}

	@Override
	public boolean isEmpty(SerializationContext context, Object value) {
		return this.delegate.isEmpty(context, value);
	}

	@Override
	public boolean usesObjectId() {
		return this.delegate.usesObjectId();
	}

	@Override
	public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
		TypeSerializer types = context.findTypeSerializer(context.constructType(value.getClass()));
		if (types != null) {
			this.delegate.serializeWithType(value, generator, context, types);
		}
		else {
			this.delegate.serialize(value, generator, context);
		}
	}

	@Override
	public void serializeWithType(Object value, JsonGenerator generator, SerializationContext context,
			TypeSerializer types) {
		this.delegate.serializeWithType(value, generator, context, types);
	}

}
