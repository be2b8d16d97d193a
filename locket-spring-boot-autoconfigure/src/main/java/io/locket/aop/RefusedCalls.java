package io.locket.aop;

import io.locket.JobKey;
import io.locket.job.EnqueueOptions;
import io.locket.job.UniqueJobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Takes the direct calls that are refused and whose job wants them enqueued. Blocks.
 */
@FunctionalInterface
public interface RefusedCalls {

	/**
	 * Enqueue a call; if a transaction is open on this thread, after its commit. What
	 * fails then is not thrown.
	 * @param job the job
	 * @param key the key of the call
	 * @param args the arguments
	 * @param options when and where
	 * @throws io.locket.DuplicateJobException if another job of the key is there and the
	 * job says {@code RAISE}
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 */
	void enqueue(UniqueJobDefinition job, JobKey key, @Nullable Object[] args, EnqueueOptions options);

}
