package io.locket.queue;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

import org.springframework.util.ClassUtils;

/**
 * What arguments of a method are read into: the declared types, generics included.
 */
final class ParameterTypes {

	private final Method method;

	private final List<JavaType> types;

	private ParameterTypes(Method method, List<JavaType> types) {
		this.method = method;
		this.types = types;
	}

	static ParameterTypes of(Method method, TypeFactory factory) {
		List<JavaType> types = new ArrayList<>();
		for (Type type : method.getGenericParameterTypes()) {
			types.add(factory.constructType(type));
		}
		return new ParameterTypes(method, List.copyOf(types));
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
		return mentionsVariable(this.method.getGenericParameterTypes()[index]);
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
		Parameter parameter = this.method.getParameters()[index];
		return "Argument " + index + " (" + this.method.getGenericParameterTypes()[index].getTypeName()
				+ (parameter.isNamePresent() ? " " + parameter.getName() : "") + ") of " + this;
	}

	@Override
	public String toString() {
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

}
