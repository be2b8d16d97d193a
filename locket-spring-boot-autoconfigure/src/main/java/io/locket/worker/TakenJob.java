package io.locket.worker;

import java.lang.reflect.Type;
import java.util.concurrent.Callable;

import io.locket.JobContext;
import io.locket.queue.JobRecord;
import org.jspecify.annotations.Nullable;

/**
 * A job that was taken from a queue, with its leases, to be run and ended by whoever took
 * it. The heartbeat renews the leases until the job is ended. Thread-safe: it may be
 * ended on another thread than that which took it.
 * <p>
 * It ends once. The first of {@link #succeed}, {@link #fail} and {@link #giveBack} is its
 * end: repeated, it has the same answer; each of the others answers {@code false} from
 * then on.
 */
public interface TakenJob {

	/**
	 * Return the job. {@link JobRecord#arguments()} has its arguments as a JSON array.
	 * @return the job as it was when it was taken
	 */
	JobRecord record();

	/**
	 * Read the arguments into the parameter types of the job's method.
	 * @return the arguments
	 * @throws IllegalStateException if this process has no method of that job
	 * @throws io.locket.queue.UnreadableArgumentsException if they do not fit the method;
	 * {@link #fail} with it ends the job for good
	 */
	@Nullable Object[] arguments();

	/**
	 * Read the arguments of a job whose method is elsewhere.
	 * @param types what to read them into, one type for each argument
	 * @return the arguments
	 * @throws io.locket.queue.UnreadableArgumentsException if they do not fit the types;
	 * {@link #fail} with it ends the job for good
	 */
	@Nullable Object[] argumentsAs(Type... types);

	/**
	 * Return what a body can know of its run.
	 * @return the context, which may be handed to other threads
	 */
	JobContext context();

	/**
	 * Return the fencing token of the run: it grows with each lease of the namespace.
	 * @return the token
	 */
	default long fencingToken() {
		return context().fencingToken();
	}

	/**
	 * Run a body on this thread as a worker does: {@link JobContext#current()} is the
	 * context of this job, and a {@code @UniqueJob} method of the key that it holds runs
	 * inside its lease. Does not end the job. Observers are told of a run that ends when
	 * the body has returned, or with the stage that it returns.
	 * @param <T> the type of the result
	 * @param body the body
	 * @return what it returns
	 * @throws Exception what it throws
	 * @throws io.locket.LeaseLostException if the lease is lost before it starts
	 * @throws IllegalStateException if the job was ended before it starts
	 */
	<T> @Nullable T call(Callable<? extends @Nullable T> body) throws Exception;

	/**
	 * Return whether a lease of the run is lost, or the job was given back when its
	 * consumer was closed: somebody else may run it. Asks nobody.
	 * @return {@code true} once it is lost
	 */
	boolean isLost();

	/**
	 * Run an action once when {@link #isLost()} becomes true, at once if it is. It may
	 * run on a thread of Locket's and must not block.
	 * @param action the action
	 */
	void onLost(Runnable action);

	/**
	 * Return whether the job was cancelled, or its queue removed, since it was taken. A
	 * body that can stop should look at it.
	 * @return {@code true} once a heartbeat has brought the news
	 */
	default boolean isCancelled() {
		return context().isCancelled();
	}

	/**
	 * End the job: its body has returned. While the lease holds, a store that gives no
	 * answer is asked again, whether or not the thread is interrupted.
	 * @return whether that counts; {@code false} if the run had lost a lease, so that the
	 * job was put back or runs or ran elsewhere, or if it was ended otherwise before
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 * before the lease is lost: whether it counts is not known, and the leases are not
	 * renewed any more; the call may be repeated
	 */
	boolean succeed();

	/**
	 * End this attempt: its body has failed. Retries, back-off and what is not to be
	 * retried are those of the job; a job that this process does not know has its own
	 * number of retries and the configured back-off.
	 * @param failure what the body has failed with
	 * @return whether that counts, as for {@link #succeed()}
	 * @throws io.locket.queue.QueueUnavailableException as for {@link #succeed()}
	 */
	boolean fail(Throwable failure);

	/**
	 * Give the job back to its place, at no cost: it was not run to its end, for reasons
	 * that are not its own. It is ready at once.
	 * @return whether that counts, as for {@link #succeed()}
	 * @throws io.locket.queue.QueueUnavailableException as for {@link #succeed()}
	 */
	boolean giveBack();

}
