package io.locket.aop;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.locket.event.QuietWarnings;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What a thread has for the pipelines that begin on it, such as the current observation:
 * a body's Mono or Flux is subscribed to when the thread has left the body. Loaded only
 * where Reactor is there.
 */
final class CapturedContext {

	private static final QuietWarnings warnings = new QuietWarnings(LogFactory.getLog(CapturedContext.class),
			System::nanoTime);

	private CapturedContext() {
	}

	/**
	 * Capture what this thread has, by Micrometer's context propagation.
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
				"What the thread of a body has could not be captured: its Mono or Flux goes on without it, and"
						+ " what it observes begins a trace of its own. Mend the ThreadLocalAccessor that failed",
				failure);
	}

}
