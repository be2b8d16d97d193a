package io.locket.worker.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Consumer of queued jobs for applications that run them on their own threads. The leases
 * of taken jobs are renewed until they are ended. Open it once and use it from any number
 * of threads, each of which takes one job at a time. Thread-safe.
 * <p>
 * A request for jobs also processes due work of the whole namespace, as a worker does.
 */
public interface JobConsumer extends AutoCloseable {

	/**
	 * Returns the name of the consumer.
	 * @return the name
	 */
	String name();

	/**
	 * Returns the queues that it takes jobs from.
	 * @return the queues, in the order in which they are requested
	 */
	List<String> queues();

	/**
	 * Takes a job if one is ready.
	 * @return a job whose leases hold, or empty if there is none
	 * @throws io.locket.queue.QueueUnavailableException if the store does not reply
	 * within the command timeout. A job that it may have handed out is handed out by the
	 * next call, or returns to its queue
	 * @throws IllegalStateException if this consumer is closed
	 */
	Optional<ConsumedJob> poll();

	/**
	 * Takes a job, and waits for one if none is ready. A notification of a new job ends
	 * the wait; the queues are also polled. A call without a reply is repeated until the
	 * time has passed.
	 * @param wait the maximum wait. When it has passed, one call of the store may still
	 * be in progress, for at most a command timeout
	 * @return a job whose leases hold, or empty if there is none or this consumer was
	 * closed meanwhile
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws io.locket.queue.QueueUnavailableException if the time has passed and the
	 * store does not reply. A job that it may have handed out is handed out by the next
	 * call, or returns to its queue
	 * @throws IllegalStateException if this consumer is closed
	 */
	Optional<ConsumedJob> poll(Duration wait) throws InterruptedException;

	/**
	 * Returns the jobs that were taken by this consumer and have not been ended. Each
	 * keeps its leases until it is ended or the process dies.
	 * @return the jobs, in no order
	 */
	List<ConsumedJob> taken();

	/**
	 * Returns whether this consumer is closed.
	 * @return {@code true} if no more jobs can be taken
	 */
	boolean isClosed();

	/**
	 * Closes the consumer. It takes no more jobs and returns jobs that were taken and not
	 * ended to their queues, at no cost. Code that still runs them is notified as of a
	 * lost lease. Only a body inside {@link ConsumedJob#call} continues to its end, with
	 * its leases. Closing it again has no effect.
	 */
	@Override
	void close();

}
