package io.locket.job.recording;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Recorder of a single call of a type. No code of the type runs: an interface is
 * implemented, a class is extended without running a constructor. Recordings may be
 * nested. Thread-safe.
 */
public final class CallRecorder {

	private CallRecorder() {
	}

	/**
	 * Records a call.
	 * @param type an interface, or a class that can be extended; for the class of a
	 * Spring proxy, the proxied class is used
	 * @param call a callback that makes the call on this thread; its unchecked exceptions
	 * are propagated
	 * @param <T> the type
	 * @return the call
	 * @throws IllegalArgumentException if calls of the type cannot be recorded, if there
	 * was none or more than one, or if a checked exception was thrown, which is the cause
	 */
	public static <T> RecordedCall record(Class<T> type, Recordable<? super T> call) {
		Objects.requireNonNull(type, "'type' must not be null");
		Objects.requireNonNull(call, "'call' must not be null");
		Class<?> known = ClassUtils.getUserClass(type);
		CallHandler handler = new CallHandler(known);
		Object recorder = known.isInterface() ? implement(known, handler) : extend(known, handler);
		try {
			call(call, recorder);
		}
		catch (RuntimeException | Error ex) {
			explain(ex, handler, known);
			throw ex;
		}
		catch (Exception ex) {
			if (ex instanceof InterruptedException) {
				Thread.currentThread().interrupt();
			}
			throw new IllegalArgumentException("The call of " + MethodText.of(known)
					+ " was not recorded, because the callback threw " + ex.getClass().getName(), ex);
		}
		finally {
			handler.end();
		}
		RecordedCall recorded = handler.result();
		if (recorded == null) {
			throw new IllegalArgumentException(none(known));
		}
		return recorded;
	}

	/**
	 * Adds a likely reason to a failure.
	 */
	private static void explain(Throwable failure, CallHandler handler, Class<?> type) {
		if (handler.isEmpty() && hint(type) != null) {
			failure.addSuppressed(new IllegalArgumentException(none(type)));
		}
		if (!handler.isEmpty() && failure instanceof NullPointerException) {
			failure.addSuppressed(new IllegalArgumentException(
					handler.result() + " is only recorded and returns null: do not use its result"));
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> void call(Recordable<T> call, Object recorder) throws Exception {
		call.call((T) recorder);
	}

	private static Object implement(Class<?> type, CallHandler handler) {
		if (type.isAnnotation() || type.isSealed()) {
			throw new IllegalArgumentException("Calls of " + MethodText.of(type) + " cannot be recorded: it is "
					+ (type.isSealed() ? "sealed, so it cannot be implemented" : "an annotation")
					+ ". Use another interface, or enqueue by the name of the job");
		}
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler);
	}

	private static Object extend(Class<?> type, CallHandler handler) {
		if (Proxy.isProxyClass(type)) {
			throw new IllegalArgumentException("Calls of a proxy's class cannot be recorded. Use one of its interfaces "
					+ Arrays.stream(type.getInterfaces()).map(MethodText::of).toList());
		}
		return RecorderClass.of(type).create(handler);
	}

	private static String none(Class<?> type) {
		String hint = hint(type);
		return "No call of " + MethodText.of(type) + " was recorded. Call the job once on the recorder, as in enqueue("
				+ MethodText.of(type) + ".class, (job) -> job.method(...)). Calls of other objects were executed"
				+ ((hint != null) ? hint : "");
	}

	private static @Nullable String hint(Class<?> type) {
		List<String> methods = type.isInterface() ? List.of() : RecorderClass.of(type).unrecordable();
		return methods.isEmpty() ? null
				: ". These methods cannot be overridden, so they run instead of being recorded: " + methods;
	}

}
