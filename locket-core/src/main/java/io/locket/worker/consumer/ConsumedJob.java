package io.locket.worker.consumer;

import java.lang.reflect.Type;
import java.util.concurrent.Callable;

import io.locket.JobContext;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * Job that a consumer has taken from a queue, with its leases, to be run and ended by the
 * caller. The heartbeat renews the leases until the job is ended. Thread-safe: it may be
 * ended on another thread than the one that took it.
 * <p>
 * It ends once, with the first of {@link #succeed}, {@link #fail} and
 * {@link #returnToQueue}. A repetition of that call returns the same result; the other
 * calls return {@code false}.
 */
public interface ConsumedJob {

	/**
	 * Returns the job. {@link JobRecord#arguments()} contains its arguments as a JSON
	 * array.
	 * @return the job as it was when it was taken
	 */
	JobRecord record();

	/**
	 * Reads the arguments into the parameter types of the job's method.
	 * @return the arguments
	 * @throws IllegalStateException if this process does not have the method of the job
	 * @throws io.locket.queue.UnreadableArgumentsException if they do not match the
	 * method. Passing it to {@link #fail} ends the job for good
	 */
	@Nullable Object[] arguments();

	/**
	 * Reads the arguments of a job whose method is not in this process.
	 * @param types the types to read, one for each argument
	 * @return the arguments
	 * @throws io.locket.queue.UnreadableArgumentsException if they do not match the
	 * types. Passing it to {@link #fail} ends the job for good
	 */
	@Nullable Object[] argumentsAs(Type... types);

	/**
	 * Returns the context of the run.
	 * @return the context, which may be passed to other threads
	 */
	JobContext context();

	/**
	 * Returns the fencing token of the run. It increases with each lease of the
	 * namespace.
	 * @return the token, or 0 if the run holds no lease of its key
	 */
	default long fencingToken() {
		return context().fencingToken();
	}

	/**
	 * Runs a body on this thread as a worker does: {@link JobContext#current()} is the
	 * context of this job, and a {@code @UniqueJob} method of the key that it holds runs
	 * inside its lease. It does not end the job. Observers see a run that ends when the
	 * body returns or, for a stage, when the stage completes.
	 * @param <T> the type of the result
	 * @param body the body
	 * @return its result
	 * @throws Exception the failure of the body
	 * @throws io.locket.LeaseLostException if the lease is lost before it starts
	 * @throws IllegalStateException if the job was ended before it starts
	 */
	<T> @Nullable T call(Callable<? extends @Nullable T> body) throws Exception;

	/**
	 * Returns whether the run may continue elsewhere, because one of its leases is lost
	 * or its consumer was closed and returned the job. It does not call the store.
	 * @return {@code true} once it is lost
	 */
	boolean isLost();

	/**
	 * Registers an action to run once when {@link #isLost()} becomes {@code true}, at
	 * once if it already is. It may run on a thread of Locket and must not block.
	 * @param action the action
	 */
	void onLost(Runnable action);

	/**
	 * Returns whether the job was cancelled, or its queue removed, since it was taken. A
	 * body that can stop should check it.
	 * @return {@code true} once a heartbeat has returned the cancellation
	 */
	default boolean isCancelled() {
		return context().isCancelled();
	}

	/**
	 * Ends the job as succeeded. While the lease holds, a call without a reply is
	 * repeated, whether or not the thread is interrupted.
	 * @return whether the outcome counts; {@code false} if the run had lost a lease, so
	 * the job was returned or runs or ran elsewhere, or if it was ended otherwise before
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 * before the lease is lost. It is unknown then whether the outcome counts, and the
	 * leases are no longer renewed; the call may be repeated
	 */
	boolean succeed();

	/**
	 * Ends this attempt as failed. Retries, back-off and the failures without retry are
	 * those of the job. A job that is unknown in this process has its own number of
	 * retries and the configured back-off.
	 * @param failure the failure of the body
	 * @return whether the outcome counts, as for {@link #succeed()}
	 * @throws io.locket.queue.QueueUnavailableException as for {@link #succeed()}
	 */
	boolean fail(Throwable failure);

	/**
	 * Returns the job to its place in its queue, at no cost, if it was not completed for
	 * reasons outside the job. It is ready at once.
	 * @return whether the outcome counts, as for {@link #succeed()}
	 * @throws io.locket.queue.QueueUnavailableException as for {@link #succeed()}
	 */
	boolean returnToQueue();

}
