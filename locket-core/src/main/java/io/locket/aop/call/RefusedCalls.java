package io.locket.aop.call;

import io.locket.JobKey;
import io.locket.job.EnqueueOptions;
import io.locket.job.definition.UniqueJobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues refused direct calls, if their job's strategy requires it. Blocks.
 */
@FunctionalInterface
public interface RefusedCalls {

	/**
	 * Enqueues a call. If a transaction is open on this thread, the call is enqueued
	 * after its commit, and a failure then is not thrown.
	 * @param job the job
	 * @param key the key of the call
	 * @param args the arguments
	 * @param options the options
	 * @throws io.locket.DuplicateJobException if another job has the key and the job's
	 * strategy is {@code RAISE}
	 * @throws io.locket.EnqueueRefusedException if a guard refuses the job
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 */
	void enqueue(UniqueJobDefinition job, JobKey key, @Nullable Object[] args, EnqueueOptions options);

}
