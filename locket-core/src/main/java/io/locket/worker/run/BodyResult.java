package io.locket.worker.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Result of a body. If it is a future, a stage, a Mono or a Flux, the body ends when the
 * result completes.
 */
final class BodyResult {

	private static final Log logger = LogFactory.getLog(BodyResult.class);

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Flux",
			BodyResult.class.getClassLoader());

	private BodyResult() {
	}

	/**
	 * Waits for the end of the body's work. An interrupt cancels the work. A future or a
	 * subscription that supports cancellation ends then, even if its threads continue.
	 * One that does not is still waited for.
	 * @param result the result of the body
	 * @throws Throwable the failure of the work, or the interrupt
	 */
	static void await(@Nullable Object result) throws Throwable {
		if (result instanceof CompletionStage<?> stage) {
			CompletableFuture<Object> end = new CompletableFuture<>();
			stage.whenComplete((value, failure) -> complete(end, failure));
			await(end, () -> stage.toCompletableFuture().cancel(true));
		}
		else if (result instanceof Future<?> future) {
			await(future, () -> future.cancel(true));
		}
		else if (REACTOR && result != null) {
			CompletableFuture<?> end = PublisherResult.subscribe(result);
			if (end != null) {
				await(end, () -> end.cancel(true));
			}
		}
	}

	private static void complete(CompletableFuture<Object> end, @Nullable Throwable failure) {
		if (failure != null) {
			end.completeExceptionally(failure);
		}
		else {
			end.complete(Boolean.TRUE);
		}
	}

	private static void await(Future<?> end, Runnable cancel) throws Throwable {
		InterruptedException interrupt = null;
		while (true) {
			try {
				end.get();
				break;
			}
			catch (InterruptedException ex) {
				interrupt = ex;
				cancel(cancel);
			}
			catch (ExecutionException ex) {
				throw causeOf(ex);
			}
		}
		if (interrupt != null) {
			logger.debug("The work of a body was interrupted and ended normally", interrupt);
		}
	}

	private static Throwable causeOf(Throwable failure) {
		Throwable cause = failure.getCause();
		boolean wrapped = failure instanceof ExecutionException || failure instanceof CompletionException;
		return (wrapped && cause != null) ? causeOf(cause) : failure;
	}

	private static void cancel(Runnable cancellation) {
		try {
			cancellation.run();
		}
		catch (RuntimeException | Error ex) {
			logger.debug("A body whose work cannot be cancelled keeps its leases until that ends", ex);
		}
	}

}
