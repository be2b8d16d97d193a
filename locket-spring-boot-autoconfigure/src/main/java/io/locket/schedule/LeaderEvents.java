package io.locket.schedule;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.event.JobEvent;
import io.locket.event.JobEventPublisher;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells what happens in the terms of a leader, in order, on a daemon thread of its own:
 * whatever a listener does, the leader's duty does not wait for it. The thread starts
 * when there is something to tell, and ends when there is not. Thread-safe.
 */
public final class LeaderEvents implements AutoCloseable {

	/**
	 * The name of the thread.
	 */
	static final String THREAD = "locket-leader-events";

	/**
	 * How many events wait to be told at the most.
	 */
	static final int ROOM = 10_000;

	private static final Log logger = LogFactory.getLog(LeaderEvents.class);

	private static final int KEEP_ALIVE_SECONDS = 30;

	private final JobEventPublisher events;

	private final JobEventPublisher relay = new JobEventPublisher(List.of(this::pass));

	private final ThreadPoolExecutor teller;

	private final AtomicBoolean dropping = new AtomicBoolean();

	/**
	 * Create what tells.
	 * @param events tells the listeners
	 */
	public LeaderEvents(JobEventPublisher events) {
		this.events = events;
		this.teller = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(ROOM), LeaderEvents::daemon);
		this.teller.allowCoreThreadTimeOut(true);
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, THREAD);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Return whom to tell: it passes events on, and never waits.
	 * @return the publisher
	 */
	public JobEventPublisher publisher() {
		return this.relay;
	}

	private void pass(JobEvent event) {
		try {
			this.teller.execute(() -> tell(event));
		}
		catch (RejectedExecutionException ex) {
			if (this.teller.isShutdown()) {
				logger.debug("The application stops: nobody hears of " + event, ex);
			}
			else if (this.dropping.compareAndSet(false, true)) {
				logger.warn("A listener holds up the thread " + THREAD + ", where " + ROOM
						+ " events of the leader wait to be told: nobody hears of those that happen until it has told"
						+ " them. Schedules go on; let the listener work on a thread of its own. The first is "
						+ event);
			}
		}
	}

	private void tell(JobEvent event) {
		this.events.publish(event);
		if (this.teller.getQueue().isEmpty()) {
			this.dropping.set(false);
		}
	}

	/**
	 * Wait until all that has happened was told.
	 * @param time how long to wait at the most
	 * @return {@code false} if a listener takes longer
	 */
	boolean drain(Duration time) {
		CountDownLatch told = new CountDownLatch(1);
		try {
			this.teller.execute(told::countDown);
			return told.await(time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing more is told, or not in time", ex);
			return this.teller.isTerminated();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Tell nothing more that happens, and what happened before only if a listener returns
	 * in time for it.
	 */
	@Override
	public void close() {
		this.teller.shutdown();
	}

}
