package io.locket.job.recording;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.cglib.proxy.MethodInterceptor;
import org.springframework.cglib.proxy.MethodProxy;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ReflectionUtils;

/**
 * Handler of the calls of one recorder. Methods of {@code Object} ({@code equals},
 * {@code hashCode}, {@code toString}) return a result and are not recorded. A finalizer
 * of the type does nothing, because the object was never constructed. A mistake is thrown
 * to the caller, and again at the end, in case the caller has swallowed it.
 */
final class CallHandler implements InvocationHandler, MethodInterceptor {

	private static final Object[] NO_ARGUMENTS = new Object[0];

	private final Class<?> type;

	private final Thread thread = Thread.currentThread();

	private @Nullable RecordedCall call;

	private @Nullable String mistake;

	private boolean over;

	CallHandler(Class<?> type) {
		this.type = type;
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) {
		return handle(proxy, method, (args != null) ? args : NO_ARGUMENTS);
	}

	@Override
	public @Nullable Object intercept(Object proxy, Method method, @Nullable Object[] args, MethodProxy methodProxy) {
		return handle(proxy, method, args);
	}

	private @Nullable Object handle(Object proxy, Method method, @Nullable Object[] args) {
		if (ReflectionUtils.isEqualsMethod(method)) {
			return proxy == args[0];
		}
		if (ReflectionUtils.isHashCodeMethod(method)) {
			return System.identityHashCode(proxy);
		}
		if (ReflectionUtils.isToStringMethod(method)) {
			return "Recorder of " + MethodText.of(this.type);
		}
		if (!RecorderClass.isFinalizer(method)) {
			record(BridgeMethodResolver.findBridgedMethod(method), args);
		}
		return zero(method.getReturnType());
	}

	private synchronized void record(Method method, @Nullable Object[] args) {
		String described = MethodText.of(this.type, method);
		if (this.over) {
			throw new IllegalStateException(described + " was called on a recorder after its recording ended. Call it"
					+ " on a bean, or in the call to be enqueued");
		}
		if (this.thread != Thread.currentThread()) {
			fail(described + " was called on another thread than the recording one. Call it on the recording thread");
		}
		if (this.call != null) {
			fail("Two calls were recorded, " + this.call + " and " + described
					+ ", but only one can be enqueued. Enqueue each separately, or all of them with enqueueAll");
		}
		this.call = RecordedCall.of(this.type, method, args);
	}

	private void fail(String problem) {
		this.mistake = problem;
		throw new IllegalArgumentException(problem);
	}

	synchronized boolean isEmpty() {
		return this.call == null;
	}

	/**
	 * Ends the recording. Later calls are rejected.
	 */
	synchronized void end() {
		this.over = true;
	}

	/**
	 * Returns the recorded call.
	 * @return the call, or {@code null} if there was none
	 * @throws IllegalArgumentException if there was a mistake
	 */
	synchronized @Nullable RecordedCall result() {
		if (this.mistake != null) {
			throw new IllegalArgumentException(this.mistake);
		}
		return this.call;
	}

	private static @Nullable Object zero(Class<?> type) {
		return (type.isPrimitive() && type != void.class) ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

}
