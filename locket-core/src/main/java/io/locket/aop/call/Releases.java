package io.locket.aop.call;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.locket.lease.heartbeat.FallbackExecution;

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
	 * Releases a lease on an executor, or on this thread if the executor is shut down or
	 * can start no thread.
	 * @param executor the executor
	 * @param release releases the lease
	 * @return completes with {@code true} when the release was attempted, or with
	 * {@code false}, on a thread that must not be blocked, when it continues in the
	 * background
	 */
	public static CompletableFuture<Boolean> run(Executor executor, Runnable release) {
		CompletableFuture<Boolean> tried = new CompletableFuture<>();
		FallbackExecution.execute(executor, () -> {
			try {
				release.run();
			}
			finally {
				tried.complete(true);
			}
		});
		return tried.completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
