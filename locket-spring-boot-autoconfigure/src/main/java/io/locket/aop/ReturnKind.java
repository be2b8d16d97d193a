package io.locket.aop;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * What the return type of a job method means to a caller that is refused, and to the end
 * of its lease.
 */
enum ReturnKind {

	/**
	 * Returns nothing.
	 */
	VOID,

	/**
	 * An {@link Optional}.
	 */
	OPTIONAL,

	/**
	 * A {@link CompletionStage} or {@link CompletableFuture}: the job ends with it.
	 */
	STAGE,

	/**
	 * A Reactor {@code Mono}: the job is run by each subscription.
	 */
	MONO,

	/**
	 * A Reactor {@code Flux}: the job is run by each subscription.
	 */
	FLUX,

	/**
	 * Any value: has no way to say that the call was refused.
	 */
	VALUE,

	/**
	 * Work that goes on after the method has returned, in a way that nobody can observe
	 * without taking part in it.
	 */
	OUTLIVING;

	private static final String MONO_TYPE = "reactor.core.publisher.Mono";

	private static final String FLUX_TYPE = "reactor.core.publisher.Flux";

	static ReturnKind of(Method method) {
		Class<?> type = method.getReturnType();
		if (type == void.class || type == Void.class) {
			return VOID;
		}
		if (type.isPrimitive()) {
			return VALUE;
		}
		if (type == Optional.class) {
			return OPTIONAL;
		}
		if (type == CompletionStage.class || type == CompletableFuture.class) {
			return STAGE;
		}
		return switch (type.getName()) {
			case MONO_TYPE -> MONO;
			case FLUX_TYPE -> FLUX;
			default -> outlives(type) ? OUTLIVING : VALUE;
		};
	}

	private static boolean outlives(Class<?> type) {
		return BaseStream.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)
				|| CompletionStage.class.isAssignableFrom(type) || Flow.Publisher.class.isAssignableFrom(type)
				|| Callable.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Return whether a result that is declared as a plain value stands for work that goes
	 * on.
	 * @param result what the method returned
	 * @return {@code true} for futures, publishers and streams
	 */
	public static boolean isPending(@Nullable Object result) {
		return result != null && !(result instanceof Optional)
				&& (result instanceof BaseStream || result instanceof Future || result instanceof CompletionStage
						|| result instanceof Flow.Publisher
						|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass()) != null);
	}

	/**
	 * Return whether a refused call can return something that says so.
	 * @return {@code true} for nothing, empty and {@code null} results that are no lie
	 */
	boolean canBeSkipped() {
		return this != VALUE && this != OUTLIVING;
	}

	boolean isReactive() {
		return this == MONO || this == FLUX;
	}

	boolean endsLater() {
		return this == STAGE || isReactive();
	}

}
