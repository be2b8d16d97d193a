package io.locket.job.definition;

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
 * Kind of return type of a job method. It determines the result of a refused call and the
 * end of the lease.
 */
public enum ReturnKind {

	/**
	 * No return value.
	 */
	VOID,

	/**
	 * An {@link Optional}.
	 */
	OPTIONAL,

	/**
	 * A {@link CompletionStage} or {@link CompletableFuture}. The job ends when it
	 * completes.
	 */
	STAGE,

	/**
	 * A Reactor {@code Mono}. Each subscription runs the job.
	 */
	MONO,

	/**
	 * A Reactor {@code Flux}. Each subscription runs the job.
	 */
	FLUX,

	/**
	 * Any value. It cannot represent a refused call.
	 */
	VALUE,

	/**
	 * Work that continues after the method has returned, and that cannot be observed
	 * without consuming it.
	 */
	OUTLIVING;

	private static final String MONO_TYPE = "reactor.core.publisher.Mono";

	private static final String FLUX_TYPE = "reactor.core.publisher.Flux";

	/**
	 * Returns the kind of the return type of a method.
	 * @param method the method
	 * @return its kind
	 */
	public static ReturnKind of(Method method) {
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
	 * Returns whether a result that is declared as a plain value represents unfinished
	 * work.
	 * @param result the result of the method
	 * @return {@code true} for futures, publishers and streams
	 */
	public static boolean isPending(@Nullable Object result) {
		return result != null && !(result instanceof Optional)
				&& (result instanceof BaseStream || result instanceof Future || result instanceof CompletionStage
						|| result instanceof Flow.Publisher
						|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass()) != null);
	}

	/**
	 * Returns whether a refused call can return without a misleading value.
	 * @return {@code true} if nothing, empty or {@code null} is a valid result
	 */
	public boolean canBeSkipped() {
		return this != VALUE && this != OUTLIVING;
	}

	/**
	 * Returns whether each subscription runs the job.
	 * @return {@code true} for a Mono or Flux
	 */
	public boolean isReactive() {
		return this == MONO || this == FLUX;
	}

	/**
	 * Returns whether the job ends after its method has returned.
	 * @return {@code true} for a stage, a Mono or a Flux
	 */
	boolean endsLater() {
		return this == STAGE || isReactive();
	}

}
