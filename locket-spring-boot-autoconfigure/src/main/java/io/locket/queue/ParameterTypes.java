package io.locket.queue;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

import org.springframework.util.ClassUtils;

/**
 * What arguments are read into: the declared types of a method, generics included, or
 * those that the reader names.
 */
final class ParameterTypes {

	private final @Nullable Method method;

	private final List<Type> declared;

	private final List<JavaType> types;

	private ParameterTypes(@Nullable Method method, List<Type> declared, TypeFactory factory) {
		this.method = method;
		this.declared = declared;
		List<JavaType> constructed = new ArrayList<>();
		for (Type type : declared) {
			constructed.add(factory.constructType(type));
		}
		this.types = List.copyOf(constructed);
	}

	static ParameterTypes of(Method method, TypeFactory factory) {
		return new ParameterTypes(method, List.of(method.getGenericParameterTypes()), factory);
	}

	/**
	 * Return types that belong to no method that is known here.
	 */
	static ParameterTypes of(List<Type> types, TypeFactory factory) {
		return new ParameterTypes(null, List.copyOf(types), factory);
	}

	int count() {
		return this.types.size();
	}

	JavaType get(int index) {
		return this.types.get(index);
	}

	/**
	 * Return whether a type leaves open what to read, as a type variable does.
	 * @param index the position of the parameter
	 * @return {@code true} if no value can be read
	 */
	boolean isOpen(int index) {
		return mentionsVariable(this.declared.get(index));
	}

	private static boolean mentionsVariable(Type type) {
		if (type instanceof TypeVariable<?>) {
			return true;
		}
		if (type instanceof ParameterizedType parameterized) {
			for (Type argument : parameterized.getActualTypeArguments()) {
				if (mentionsVariable(argument)) {
					return true;
				}
			}
		}
		return type instanceof GenericArrayType array && mentionsVariable(array.getGenericComponentType());
	}

	/**
	 * Return how a message calls an argument.
	 * @param index the position of the parameter
	 * @return position, name as far as it is known, type and method
	 */
	String describe(int index) {
		String name = "";
		if (this.method != null && this.method.getParameters()[index].isNamePresent()) {
			name = " " + this.method.getParameters()[index].getName();
		}
		return "Argument " + (index + 1) + " (" + typeText(index) + name + ") of " + this;
	}

	private String typeText(int index) {
		Type type = this.declared.get(index);
		return (type instanceof Class<?> plain) ? ClassUtils.getShortName(plain) : type.getTypeName();
	}

	@Override
	public String toString() {
		if (this.method == null) {
			return "a job with parameters " + this.declared.stream().map(Type::getTypeName).toList();
		}
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

}
