package io.locket.aop;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What a thread has for the pipelines that begin on it, such as the current observation:
 * a body's Mono or Flux is subscribed to when the thread has left the body. Loaded only
 * where Reactor is there.
 */
final class CapturedContext {

	private CapturedContext() {
	}

	/**
	 * Capture what this thread has, by Micrometer's context propagation.
	 * @return the context, empty where that is not on the class path
	 */
	static ContextView ofThread() {
		AtomicReference<ContextView> captured = new AtomicReference<>(Context.empty());
		Mono.deferContextual((context) -> {
			captured.set(context);
			return Mono.empty();
		}).contextCapture().subscribe();
		return Objects.requireNonNull(captured.get(), "'captured' must not be null");
	}

}
