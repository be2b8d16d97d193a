package io.locket.aop.call;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Releases for threads that must not block.
 */
public final class Releases {

	/**
	 * Maximum time for which a result waits for its release. A responsive store takes a
	 * fraction of it.
	 */
	static final Duration PATIENCE = Duration.ofMillis(500);

	private Releases() {
	}

	/**
	 * Releases a lease on an executor, or on this thread if the executor is shut down.
	 * @param executor the executor
	 * @param release releases the lease
	 * @return completes with {@code true} when the release was attempted, or with
	 * {@code false}, on a thread that must not be blocked, when it continues in the
	 * background
	 */
	public static CompletableFuture<Boolean> run(Executor executor, Runnable release) {
		CompletableFuture<Boolean> tried = new CompletableFuture<>();
		try {
			executor.execute(() -> {
				try {
					release.run();
				}
				finally {
					tried.complete(true);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			// The context is closed, so no executor is left.
			release.run();
			tried.complete(true);
		}
		return tried.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
