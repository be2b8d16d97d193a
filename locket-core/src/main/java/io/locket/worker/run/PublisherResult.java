package io.locket.worker.run;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Publisher returned by a body, of Reactor or of another library that Spring knows. Its
 * subscription is the work of the body. Loaded only if Reactor is present.
 */
final class PublisherResult {

	private PublisherResult() {
	}

	/**
	 * Subscribes on this thread.
	 * @param result the result of the body
	 * @return the end of its work, whose cancellation cancels the subscription, or
	 * {@code null} if it is not a publisher
	 */
	static @Nullable CompletableFuture<?> subscribe(Object result) {
		if (result instanceof Mono<?> mono) {
			return mono.then().toFuture();
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass());
		return (adapter != null) ? Flux.from(adapter.toPublisher(result)).then().toFuture() : null;
	}

}
