package io.locket.job.recording;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Records the one call that somebody makes of a type. Nothing of the type runs: an
 * interface is implemented, a class is extended without running a constructor. Recordings
 * may be nested. Thread-safe.
 */
public final class CallRecorder {

	private CallRecorder() {
	}

	/**
	 * Record a call.
	 * @param type an interface, or a class that can be extended; for the class of a
	 * Spring proxy the class behind it
	 * @param call makes the call, on this thread; what it throws and is unchecked is
	 * thrown on
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
					+ " was not recorded, since what makes it threw " + ex.getClass().getName(), ex);
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
	 * Say with a failure what may have led to it.
	 */
	private static void explain(Throwable failure, CallHandler handler, Class<?> type) {
		if (handler.isEmpty() && hint(type) != null) {
			failure.addSuppressed(new IllegalArgumentException(none(type)));
		}
		if (!handler.isEmpty() && failure instanceof NullPointerException) {
			failure.addSuppressed(new IllegalArgumentException(
					handler.result() + " is recorded and not run, and answers null: do nothing with what it returns"));
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> void call(Recordable<T> call, Object recorder) throws Exception {
		call.call((T) recorder);
	}

	private static Object implement(Class<?> type, CallHandler handler) {
		if (type.isAnnotation() || type.isSealed()) {
			throw new IllegalArgumentException("Calls of " + MethodText.of(type) + " cannot be recorded: it is "
					+ (type.isSealed() ? "sealed, so that nothing else can implement it" : "an annotation")
					+ ". Give another interface, or enqueue by the name of the job");
		}
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, handler);
	}

	private static Object extend(Class<?> type, CallHandler handler) {
		if (Proxy.isProxyClass(type)) {
			throw new IllegalArgumentException(
					"Calls of a proxy's class cannot be recorded. Give one of its interfaces "
							+ Arrays.stream(type.getInterfaces()).map(MethodText::of).toList());
		}
		return RecorderClass.of(type).create(handler);
	}

	private static String none(Class<?> type) {
		String hint = hint(type);
		return "No call of " + MethodText.of(type)
				+ " was recorded. Call the job once on what is handed in, as in enqueue(" + MethodText.of(type)
				+ ".class, (job) -> job.method(...))" + ((hint != null) ? hint : "");
	}

	private static @Nullable String hint(Class<?> type) {
		List<String> methods = type.isInterface() ? List.of() : RecorderClass.of(type).unrecordable();
		return methods.isEmpty() ? null
				: ". These cannot be recorded, and run, since nothing can override them: " + methods;
	}

}
