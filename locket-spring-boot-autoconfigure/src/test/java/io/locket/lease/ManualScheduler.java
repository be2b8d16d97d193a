package io.locket.lease;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Scheduler and clock that advance only under the control of a test.
 */
public final class ManualScheduler extends ScheduledThreadPoolExecutor {

	private final PriorityQueue<Task> tasks = new PriorityQueue<>(
			Comparator.comparingLong((Task task) -> task.time).thenComparingLong((task) -> task.number));

	private long now;

	private long number;

	private int refused;

	private int discarded;

	public ManualScheduler() {
		super(0);
	}

	public long nanoTime() {
		return this.now;
	}

	public int size() {
		return this.tasks.size();
	}

	public void advance(Duration duration) {
		long until = this.now + duration.toNanos();
		while (!this.tasks.isEmpty() && this.tasks.peek().time <= until) {
			Task task = this.tasks.remove();
			this.now = Math.max(this.now, task.time);
			task.run();
		}
		this.now = until;
	}

	/**
	 * Fails to schedule the next tasks, as if no thread could be started. As in a real
	 * scheduler, they run nevertheless.
	 */
	public void refuse(int next) {
		this.refused = next;
	}

	/**
	 * Fails to schedule the next tasks, as if there were no memory. They do not run.
	 */
	public void discard(int next) {
		this.discarded = next;
	}

	/**
	 * Lets time pass without running due tasks.
	 */
	public void hold(Duration duration) {
		this.now += duration.toNanos();
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
		Task task = new Task(command, this.now + unit.toNanos(delay), this.number++) {

			@Override
			public boolean cancel(boolean mayInterruptIfRunning) {
				ManualScheduler.this.tasks.remove(this);
				return super.cancel(mayInterruptIfRunning);
			}

		};
		if (this.discarded > 0) {
			this.discarded--;
			throw new OutOfMemoryError("Java heap space");
		}
		this.tasks.add(task);
		if (this.refused > 0) {
			this.refused--;
			throw new OutOfMemoryError("unable to create native thread");
		}
		return task;
	}

	private static class Task extends FutureTask<Void> implements RunnableScheduledFuture<Void> {

		private final long time;

		private final long number;

		Task(Runnable command, long time, long number) {
			super(command, null);
			this.time = time;
			this.number = number;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(this.time, TimeUnit.NANOSECONDS);
		}

		@Override
		public int compareTo(Delayed other) {
			return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
		}

		@Override
		public boolean isPeriodic() {
			return false;
		}

	}

}
