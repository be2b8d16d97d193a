package io.locket.queue.argument;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.TypeBindings;
import tools.jackson.databind.type.TypeFactory;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Types, writers and readers of the arguments of a job: the declared types of a method,
 * generics included, or types given by the reader.
 */
final class ParameterTypes {

	/**
	 * Mapper for instances that only describe types.
	 */
	private static final JsonMapper NO_MAPPER = new JsonMapper();

	private final @Nullable Method method;

	private final List<Type> declared;

	private final List<JavaType> types;

	private final List<Boolean> open;

	private final List<ObjectWriter> writers;

	private final List<ObjectReader> readers;

	private ParameterTypes(@Nullable Method method, List<Type> declared, List<JavaType> types, List<Boolean> open,
			JsonMapper mapper) {
		this.method = method;
		this.declared = declared;
		this.types = types;
		this.open = open;
		this.writers = types.stream().map(mapper::writerFor).toList();
		this.readers = types.stream().map(mapper::readerFor).toList();
	}

	/**
	 * Creates the types of a method, resolved for a class that inherits it.
	 */
	static ParameterTypes of(Method method, Class<?> owner, JsonMapper mapper) {
		TypeFactory factory = mapper.getTypeFactory();
		JavaType declaring = factory.constructType(owner).findSuperType(method.getDeclaringClass());
		TypeBindings bindings = (declaring != null) ? declaring.getBindings() : TypeBindings.emptyBindings();
		List<Type> declared = List.of(method.getGenericParameterTypes());
		return new ParameterTypes(method, declared,
				declared.stream().map((type) -> factory.resolveMemberType(type, bindings)).toList(),
				declared.stream().map((type) -> isOpen(type, owner)).toList(), mapper);
	}

	/**
	 * Describes the parameters of a method whose types a class leaves unresolved.
	 */
	static List<String> open(Method method, Class<?> owner) {
		List<Type> declared = List.of(method.getGenericParameterTypes());
		ParameterTypes types = new ParameterTypes(method, declared, List.of(), List.of(), NO_MAPPER);
		return IntStream.range(0, declared.size())
			.filter((index) -> isOpen(declared.get(index), owner))
			.mapToObj(types::describe)
			.toList();
	}

	/**
	 * Creates types that belong to no method of this process.
	 */
	static ParameterTypes of(List<Type> types, JsonMapper mapper) {
		TypeFactory factory = mapper.getTypeFactory();
		return new ParameterTypes(null, List.copyOf(types), types.stream().map(factory::constructType).toList(),
				types.stream().map((type) -> isOpen(type, Object.class)).toList(), mapper);
	}

	int count() {
		return this.types.size();
	}

	JavaType get(int index) {
		return this.types.get(index);
	}

	/**
	 * Returns the writer of an argument.
	 */
	ObjectWriter writer(int index) {
		return this.writers.get(index);
	}

	/**
	 * Returns the reader of an argument.
	 */
	ObjectReader reader(int index) {
		return this.readers.get(index);
	}

	/**
	 * Returns whether a type is unresolved, as a type variable is.
	 * @param index the position of the parameter
	 * @return {@code true} if no value can be read
	 */
	boolean isOpen(int index) {
		return this.open.get(index);
	}

	private static boolean isOpen(Type type, Class<?> owner) {
		if (type instanceof TypeVariable<?> variable) {
			Type settled = settle(variable, owner);
			return settled == null || isOpen(settled, owner);
		}
		if (type instanceof ParameterizedType parameterized) {
			return Arrays.stream(parameterized.getActualTypeArguments()).anyMatch((part) -> isOpen(part, owner));
		}
		if (type instanceof WildcardType wildcard) {
			return Stream.of(wildcard.getUpperBounds(), wildcard.getLowerBounds())
				.flatMap(Arrays::stream)
				.anyMatch((bound) -> isOpen(bound, owner));
		}
		return type instanceof GenericArrayType array && isOpen(array.getGenericComponentType(), owner);
	}

	/**
	 * Resolves a variable of a supertype by the subtype below it. Returns {@code null} if
	 * it is not resolved.
	 */
	private static @Nullable Type settle(TypeVariable<?> variable, Class<?> owner) {
		if (!(variable.getGenericDeclaration() instanceof Class<?> declaring)) {
			return null;
		}
		ResolvableType above = ResolvableType.forClass(owner).as(declaring);
		int index = List.of(declaring.getTypeParameters()).indexOf(variable);
		Type settled = (above.getType() instanceof ParameterizedType) ? above.getGeneric(index).getType() : null;
		return variable.equals(settled) ? null : settled;
	}

	/**
	 * Returns whether a value and its elements have the type of a parameter. Such a value
	 * must not be converted, because a conversion writes elements without the type ids
	 * that their declared type requires.
	 * @param index the position of the parameter
	 * @param value the value
	 * @return {@code true} if it needs no conversion
	 */
	boolean accepts(int index, Object value) {
		return hasType(value, get(index));
	}

	private static boolean hasType(@Nullable Object value, JavaType type) {
		if (value == null) {
			return true;
		}
		if (!ClassUtils.isAssignableValue(type.getRawClass(), value)) {
			return false;
		}
		if (value instanceof Collection<?> elements && type.isCollectionLikeType()) {
			return elements.stream().allMatch((element) -> hasType(element, type.getContentType()));
		}
		if (value instanceof Map<?, ?> entries && type.isMapLikeType()) {
			return entries.entrySet()
				.stream()
				.allMatch((entry) -> hasType(entry.getKey(), type.getKeyType())
						&& hasType(entry.getValue(), type.getContentType()));
		}
		if (value instanceof Optional<?> optional && type.isReferenceType()) {
			return hasType(optional.orElse(null), type.getContentType());
		}
		return !type.hasGenericTypes() && !type.isContainerType();
	}

	/**
	 * Returns the number of arguments for messages.
	 * @return the number, and types and names if there is a method
	 */
	String describeCount() {
		String parameters = (this.method != null) ? ParameterText.of(this.method) : "";
		return count() + " argument(s)" + (parameters.isEmpty() ? "" : " (" + parameters + ")");
	}

	/**
	 * Returns the description of an argument for messages.
	 * @param index the position of the parameter
	 * @return position, name if known, type and method
	 */
	String describe(int index) {
		String name = "";
		if (this.method != null && this.method.getParameters()[index].isNamePresent()) {
			name = " " + this.method.getParameters()[index].getName();
		}
		return "Argument " + (index + 1) + " (" + ParameterText.ofType(this.declared.get(index)) + name + ") of "
				+ this;
	}

	@Override
	public String toString() {
		if (this.method == null) {
			return "a job with parameters " + this.declared.stream().map(Type::getTypeName).toList();
		}
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

}
