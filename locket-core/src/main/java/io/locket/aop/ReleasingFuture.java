package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.locket.JobContext;
import io.locket.LeaseLostException;
import io.locket.lease.heartbeat.FallbackExecution;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Future of an asynchronous job for its caller. It ends as the job's own stage does,
 * after the lease was released, and its cancellation cancels that stage. Continuations
 * run neither on the thread that releases nor on the one that completed the stage.
 *
 * @param <T> the type of the result
 */
class ReleasingFuture<T extends @Nullable Object> extends CompletableFuture<T> {

	private static final Log logger = LogFactory.getLog(ReleasingFuture.class);

	private final CompletionStage<T> stage;

	ReleasingFuture(CompletionStage<T> stage, Function<@Nullable Throwable, CompletionStage<?>> release) {
		this.stage = stage;
		stage.whenComplete((result, error) -> release.apply(error)
			.whenComplete(
					(released, ignored) -> FallbackExecution.execute(defaultExecutor(), () -> end(result, error))));
	}

	private void end(T result, @Nullable Throwable error) {
		if (error != null) {
			completeExceptionally(error);
		}
		else {
			complete(result);
		}
	}

	/**
	 * Cancels the stage and fails, because the lease was lost.
	 * @param context the context of the lost lease
	 */
	void lose(JobContext context) {
		FallbackExecution.execute(defaultExecutor(), () -> {
			try {
				context.ensureLease();
			}
			catch (LeaseLostException ex) {
				completeExceptionally(ex);
				cancelStage(true);
			}
		});
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		cancelStage(mayInterruptIfRunning);
		return cancelled;
	}

	private void cancelStage(boolean mayInterruptIfRunning) {
		try {
			this.stage.toCompletableFuture().cancel(mayInterruptIfRunning);
		}
		catch (UnsupportedOperationException | CompletionException ex) {
			logger.debug("The stage cannot be cancelled and keeps its lease until it ends", ex);
		}
	}

	/**
	 * Returns an ordinary future for dependents, because the lease is released when they
	 * run.
	 */
	@Override
	public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
		return new CompletableFuture<>();
	}

}
