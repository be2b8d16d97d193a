package io.locket.job.recording;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A call that was recorded and not run. Immutable, but for the arguments themselves.
 *
 * @param type the type that was called
 * @param method the method, of the type or of one of those above it; never a bridge
 * @param arguments the arguments in their order
 */
public record RecordedCall(Class<?> type, Method method, List<@Nullable Object> arguments) {

	static RecordedCall of(Class<?> type, Method method, @Nullable Object[] args) {
		return new RecordedCall(type, method, Collections.unmodifiableList(Arrays.asList(args.clone())));
	}

	/**
	 * Return the arguments.
	 * @return an array of one's own
	 */
	public @Nullable Object[] args() {
		return this.arguments.toArray();
	}

	/**
	 * Names the call without its arguments, which logs and messages are not to have.
	 */
	@Override
	public String toString() {
		return MethodText.of(this.type, this.method);
	}

}
