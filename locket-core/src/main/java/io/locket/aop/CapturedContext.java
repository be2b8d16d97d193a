package io.locket.aop;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.log.QuietWarnings;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Context of a thread, such as the current observation, for the pipelines that begin on
 * it. A body's Mono or Flux is subscribed to after the thread has left the body. Loaded
 * only if Reactor is available.
 */
final class CapturedContext {

	private static final QuietWarnings warnings = new QuietWarnings(LogFactory.getLog(CapturedContext.class),
			System::nanoTime);

	private CapturedContext() {
	}

	/**
	 * Captures the context of this thread by Micrometer's context propagation.
	 * @return the context, empty where that is not on the class path or fails
	 */
	static ContextView ofThread() {
		AtomicReference<ContextView> captured = new AtomicReference<>(Context.empty());
		Mono.deferContextual((context) -> {
			captured.set(context);
			return Mono.empty();
		}).contextCapture().subscribe((value) -> {
		}, CapturedContext::warn);
		return Objects.requireNonNull(captured.get(), "'captured' must not be null");
	}

	private static void warn(Throwable failure) {
		warnings.warn("context propagation",
				"The context of a body's thread could not be captured, so its Mono or Flux runs without it and"
						+ " begins a trace of its own. Fix the ThreadLocalAccessor that failed",
				failure);
	}

}
