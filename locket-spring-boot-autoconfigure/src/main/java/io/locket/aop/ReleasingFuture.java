package io.locket.aop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.locket.JobContext;
import io.locket.LeaseLostException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of an asynchronous job gets: ends as the job's own stage does, once the
 * lease was released, and cancels that stage when it is cancelled. Continuations run
 * neither on the thread that releases nor on the one that completed the stage.
 *
 * @param <T> the type of the result
 */
final class ReleasingFuture<T extends @Nullable Object> extends CompletableFuture<T> {

	private static final Log logger = LogFactory.getLog(ReleasingFuture.class);

	private final CompletionStage<T> stage;

	ReleasingFuture(CompletionStage<T> stage, Function<@Nullable Throwable, CompletionStage<@Nullable Void>> release) {
		this.stage = stage;
		stage.whenComplete((result, error) -> release.apply(error)
			.whenComplete((released, ignored) -> defaultExecutor().execute(() -> end(result, error))));
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
	 * The lease was lost: cancel the stage and fail.
	 * @param context the context of the lost lease
	 */
	void lose(JobContext context) {
		defaultExecutor().execute(() -> {
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
			logger.debug("A stage that cannot be cancelled keeps its lease until it ends", ex);
		}
	}

	/**
	 * Dependents are ordinary futures: what they wait for is released by then.
	 */
	@Override
	public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
		return new CompletableFuture<>();
	}

}
