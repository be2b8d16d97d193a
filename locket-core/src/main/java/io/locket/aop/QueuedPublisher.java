package io.locket.aop;

import io.locket.JobContext;
import io.locket.aop.call.SharedLease;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Publisher returned by the body of a queued job, inside the context of its run. Loaded
 * only if Reactor is available.
 */
final class QueuedPublisher {

	private QueuedPublisher() {
	}

	/**
	 * Adds the context of the run to the Reactor context of its publisher.
	 * @param publisher a Mono or Flux
	 * @param context the context of the body
	 * @param keyLease the key lease, or {@code null} if the run has none
	 * @return the same kind of publisher
	 */
	static Object inside(Object publisher, JobContext context, @Nullable SharedLease keyLease) {
		ContextView thread = CapturedContext.ofThread();
		if (publisher instanceof Mono<?> mono) {
			return mono.contextWrite((outer) -> enter(outer.putAll(thread), context, keyLease));
		}
		if (publisher instanceof Flux<?> flux) {
			return flux.contextWrite((outer) -> enter(outer.putAll(thread), context, keyLease));
		}
		return publisher;
	}

	private static Context enter(Context outer, JobContext context, @Nullable SharedLease keyLease) {
		Context entered = outer.put(JobContext.class, context);
		return (keyLease != null)
				? entered.put(ReactiveEntry.class, ReactiveEntry.nested(keyLease, null, Runnable::run)) : entered;
	}

}
