package io.locket.job.recording;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Recorded call that did not run. Immutable, except for the arguments themselves.
 *
 * @param type the called type
 * @param method the method, of the type or of one of its supertypes; never a bridge
 * @param arguments the arguments in their order
 */
public record RecordedCall(Class<?> type, Method method, List<@Nullable Object> arguments) {

	static RecordedCall of(Class<?> type, Method method, @Nullable Object[] args) {
		return new RecordedCall(type, method, Collections.unmodifiableList(Arrays.asList(args.clone())));
	}

	/**
	 * Returns the arguments.
	 * @return a new array
	 */
	public @Nullable Object[] args() {
		return this.arguments.toArray();
	}

	/**
	 * Describes the call without its arguments, which must not appear in logs and
	 * messages.
	 */
	@Override
	public String toString() {
		return MethodText.of(this.type, this.method);
	}

}
