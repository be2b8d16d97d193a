package io.locket.key;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * Names of a method's parameters, as far as its class file has them.
 */
final class ParameterNames {

	private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

	private final @Nullable String @Nullable [] names;

	private ParameterNames(@Nullable String @Nullable [] names) {
		this.names = names;
	}

	static ParameterNames of(Method method) {
		return new ParameterNames(DISCOVERER.getParameterNames(method));
	}

	boolean areKnown() {
		return this.names != null;
	}

	@Nullable String get(int index) {
		return (this.names != null && index < this.names.length) ? this.names[index] : null;
	}

	/**
	 * Returns the description of a parameter in messages.
	 * @param index the position of the parameter
	 * @return its quoted name or its position
	 */
	String describe(int index) {
		String name = get(index);
		return (name != null) ? "'" + name + "'" : "#" + index;
	}

}
