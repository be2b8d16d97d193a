package io.locket.worker;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A publisher that a body has returned: its subscription is the body's work. Loaded only
 * where Reactor is there.
 */
final class PublisherResult {

	private PublisherResult() {
	}

	/**
	 * Subscribe on this thread.
	 * @param result what the body has returned
	 * @return the end of its work, whose cancellation cancels the subscription, or
	 * {@code null} if it is no publisher
	 */
	static @Nullable CompletableFuture<?> subscribe(Object result) {
		if (result instanceof Mono<?> mono) {
			return mono.then().toFuture();
		}
		return (result instanceof Flux<?> flux) ? flux.then().toFuture() : null;
	}

}
