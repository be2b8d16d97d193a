package io.locket.schedule.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.locket.event.JobEvent;
import io.locket.event.publish.JobEventPublisher;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Publisher of the events of a leader, in order, on its own daemon thread, so that the
 * leader's task never waits for a listener. The thread starts with an event and ends when
 * there are none. Thread-safe.
 */
public final class LeaderEvents implements AutoCloseable {

	/**
	 * The name of the thread.
	 */
	static final String THREAD = "locket-leader-events";

	/**
	 * Maximum number of pending events.
	 */
	static final int CAPACITY = 10_000;

	private static final Log logger = LogFactory.getLog(LeaderEvents.class);

	private static final int KEEP_ALIVE_SECONDS = 30;

	private final JobEventPublisher events;

	private final JobEventPublisher relay = new JobEventPublisher(List.of(this::pass));

	private final ThreadPoolExecutor executor;

	private final AtomicBoolean dropping = new AtomicBoolean();

	/**
	 * Creates a publisher.
	 * @param events the publisher that notifies the listeners
	 */
	public LeaderEvents(JobEventPublisher events) {
		this(events, LeaderEvents::daemon);
	}

	LeaderEvents(JobEventPublisher events, ThreadFactory threads) {
		this.events = events;
		this.executor = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(CAPACITY), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, THREAD);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Returns the publisher for the leader, which passes events on and never blocks.
	 * @return the publisher
	 */
	public JobEventPublisher publisher() {
		return this.relay;
	}

	private void pass(JobEvent event) {
		try {
			this.executor.execute(() -> publish(event));
		}
		catch (RejectedExecutionException ex) {
			if (this.executor.isShutdown()) {
				logger.debug("The application stops; event not published: " + event, ex);
			}
			else if (this.dropping.compareAndSet(false, true)) {
				logger.warn("A listener blocks the thread " + THREAD + ": " + CAPACITY
						+ " events of the leader are pending, and further events are dropped until they are published."
						+ " Schedules continue. Let the listener work on its own thread. The first dropped event is "
						+ event);
			}
		}
		catch (Error ex) {
			if (this.dropping.compareAndSet(false, true)) {
				logger
					.warn("The thread " + THREAD + " cannot be started: events of the leader are dropped until it can."
							+ " Schedules continue. Check the limits on threads and memory. The first dropped event is "
							+ event, ex);
			}
		}
	}

	private void publish(JobEvent event) {
		this.events.publish(event);
		if (this.executor.getQueue().isEmpty()) {
			this.dropping.set(false);
		}
	}

	/**
	 * Waits until all pending events are published.
	 * @param time the maximum wait
	 * @return {@code false} if a listener takes longer
	 */
	boolean drain(Duration time) {
		CountDownLatch drained = new CountDownLatch(1);
		try {
			this.executor.execute(drained::countDown);
			return drained.await(time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("No more events are published, or not in time", ex);
			return this.executor.isTerminated();
		}
		catch (Error ex) {
			// Pending events would keep a thread alive.
			logger.debug("No event is pending, and no thread can be started", ex);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Drops further events. Pending events are published only if listeners return in
	 * time.
	 */
	@Override
	public void close() {
		this.executor.shutdown();
	}

}
