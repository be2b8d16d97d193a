package io.locket.key.canonical;

import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * Jackson module that makes a mapper write canonical values. Beans without properties are
 * refused. Classes of the JDK that Jackson treats as beans are refused too, because their
 * getters do not represent their value. Classes with a type id are always written with
 * it.
 */
final class CanonicalModule extends JacksonModule {

	@Override
	public String getModuleName() {
		return CanonicalModule.class.getName();
	}

	@Override
	public Version version() {
		return Version.unknownVersion();
	}

	@Override
	public void setupModule(SetupContext context) {
		context.addSerializers(new CanonicalSerializers());
		context.addKeySerializers(new CanonicalKeySerializers());
		context.addSerializerModifier(new Beans());
	}

	/**
	 * Modifier of the serializers of beans.
	 */
	private static final class Beans extends ValueSerializerModifier {

		@Override
		public ValueSerializer<?> modifySerializer(SerializationConfig config, BeanDescription.Supplier description,
				ValueSerializer<?> serializer) {
			if (!(serializer instanceof BeanSerializerBase bean)) {
				return serializer;
			}
			if (config.getAnnotationIntrospector()
				.findPolymorphicTypeInfo(config, description.getClassInfo()) != null) {
				return new TypedBeanSerializer(bean);
			}
			Class<?> type = description.getBeanClass();
			if (isPartOfJdk(type) || (!bean.properties().hasNext() && description.get().findAnyGetter() == null)) {
				return new CanonicalSerializers.Refusing(() -> CanonicalJsonException.opaque(type));
			}
			return bean;
		}

		private static boolean isPartOfJdk(Class<?> type) {
			return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
		}

	}

}
