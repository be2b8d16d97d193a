package io.locket.lease.heartbeat;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Execution of tasks that must not be lost. If the executor is shut down, or the process
 * can start no thread, the task runs on the calling thread. A pool that cannot start a
 * thread may have queued the task or not, so the task runs once in any case.
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
		AtomicBoolean begun = new AtomicBoolean();
		Runnable once = () -> {
			if (begun.compareAndSet(false, true)) {
				task.run();
			}
		};
		try {
			executor.execute(once);
		}
		catch (RejectedExecutionException | Error ex) {
			logger.debug("The executor is shut down, or no thread can be started", ex);
			once.run();
		}
	}

}
