package io.locket.lease.heartbeat;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Execution of tasks that must not be lost. If the executor is shut down, or the process
 * can start no thread, the task or its fallback runs on the calling thread. A pool that
 * cannot start a thread may have queued the task or not, so only one of them runs, once.
 */
public final class FallbackExecution {

	private static final Log logger = LogFactory.getLog(FallbackExecution.class);

	private FallbackExecution() {
	}

	/**
	 * Runs a task once.
	 * @param executor the executor
	 * @param task the task, which must not throw
	 */
	public static void execute(Executor executor, Runnable task) {
		execute(executor, task, (failure) -> task.run());
	}

	/**
	 * Runs a task once, or its fallback on the calling thread.
	 * @param executor the executor
	 * @param task the task, which must not throw
	 * @param fallback receives the failure of the executor, unless the task has begun all
	 * the same
	 */
	public static void execute(Executor executor, Runnable task, Consumer<Throwable> fallback) {
		AtomicBoolean begun = new AtomicBoolean();
		try {
			executor.execute(() -> {
				if (begun.compareAndSet(false, true)) {
					task.run();
				}
			});
		}
		catch (RejectedExecutionException | Error ex) {
			logger.debug("The executor is shut down, or no thread can be started", ex);
			if (begun.compareAndSet(false, true)) {
				fallback.accept(ex);
			}
		}
	}

}
