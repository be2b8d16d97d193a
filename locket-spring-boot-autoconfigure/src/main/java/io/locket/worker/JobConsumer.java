package io.locket.worker;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes jobs from queues for those who run them on threads of their own. The leases of
 * what was taken are renewed until it is ended. Meant to be opened once and used by any
 * number of threads, each of which takes a job at a time: thread-safe.
 * <p>
 * Asking for jobs also serves what is due in the whole namespace, as a worker does.
 */
public interface JobConsumer extends AutoCloseable {

	/**
	 * Return the name by which it was opened.
	 * @return the name
	 */
	String name();

	/**
	 * Return the queues that it takes jobs from.
	 * @return the queues, the one that is asked first before the others
	 */
	List<String> queues();

	/**
	 * Take a job if one is ready.
	 * @return a job whose leases hold, or empty if there is none
	 * @throws io.locket.queue.QueueUnavailableException if the store gives no answer
	 * within the command timeout; what it may have handed out is handed out by the next
	 * call, or goes back
	 * @throws IllegalStateException if this consumer is closed
	 */
	Optional<TakenJob> poll();

	/**
	 * Take a job, and wait for one if none is ready: woken when one comes, and looking
	 * from time to time. A store that gives no answer is asked again until the time is
	 * over.
	 * @param wait for how long to wait, after which one call of the store may still be
	 * under way, for a command timeout at the most
	 * @return a job whose leases hold, or empty if there is none or this consumer was
	 * closed meanwhile
	 * @throws InterruptedException if the thread is interrupted while it waits
	 * @throws io.locket.queue.QueueUnavailableException if the time is over and the store
	 * gives no answer; what it may have handed out is handed out by the next call, or
	 * goes back
	 * @throws IllegalStateException if this consumer is closed
	 */
	Optional<TakenJob> poll(Duration wait) throws InterruptedException;

	/**
	 * Return the jobs that were taken here and have not been ended. Each keeps its leases
	 * until it is ended or the process dies.
	 * @return the jobs, in no order
	 */
	List<TakenJob> taken();

	/**
	 * Return whether no job can be taken here any more.
	 * @return {@code true} once it was closed
	 */
	boolean isClosed();

	/**
	 * Take no more jobs, and give back what was taken and not ended, at no cost: those
	 * who still run it are told as of a lost lease. Only a body inside
	 * {@link TakenJob#call} is left to its end, with its leases. Does nothing if it was
	 * closed before.
	 */
	@Override
	void close();

}
