package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Task in the background that is planned at most once at a time. A scheduler that cannot
 * start a thread throws, and still runs the task as soon as it has a thread. Such an
 * execution is ignored if another one was planned since. Thread-safe.
 */
public final class PlannedTask {

	private final ScheduledExecutorService scheduler;

	private final Runnable action;

	private long last;

	private boolean planned;

	/**
	 * Creates a task that is not planned.
	 * @param scheduler the scheduler
	 * @param action the action, which calls {@link #done()} at its end
	 */
	public PlannedTask(ScheduledExecutorService scheduler, Runnable action) {
		this.scheduler = scheduler;
		this.action = action;
	}

	/**
	 * Plans an execution, unless one is planned or not done, or the scheduler is shut
	 * down.
	 * @param delay the time until the execution
	 */
	public synchronized void planIn(Duration delay) {
		if (this.planned || this.scheduler.isShutdown()) {
			return;
		}
		long number = ++this.last;
		this.scheduler.schedule(() -> run(number), delay.toNanos(), TimeUnit.NANOSECONDS);
		this.planned = true;
	}

	private void run(long number) {
		synchronized (this) {
			if (number != this.last) {
				return;
			}
		}
		this.action.run();
	}

	/**
	 * Permits the next execution.
	 */
	public synchronized void done() {
		this.planned = false;
	}

}
