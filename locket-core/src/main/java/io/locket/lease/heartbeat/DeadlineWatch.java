package io.locket.lease.heartbeat;

import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Watch over the local deadlines of the leases of a group. It wakes up at the earliest
 * deadline that it knew, and then checks all of them, which renewals have moved since.
 * Thread-safe.
 */
final class DeadlineWatch {

	private static final Log logger = LogFactory.getLog(DeadlineWatch.class);

	private final Set<LiveLease> leases;

	private final ScheduledExecutorService scheduler;

	private final LongSupplier nanoTime;

	private volatile @Nullable PlannedWatch planned;

	private long last;

	private boolean stopped;

	DeadlineWatch(Set<LiveLease> leases, ScheduledExecutorService scheduler, LongSupplier nanoTime) {
		this.leases = leases;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
	}

	/**
	 * Watches for the deadline of a lease that has joined the group.
	 */
	void joined(LiveLease lease) {
		long deadline = lease.deadline();
		// Without the monitor: a watch that has run sees a lease that joined before.
		PlannedWatch earlier = this.planned;
		if (earlier == null || deadline - earlier.deadline() < 0) {
			watchFor(deadline);
		}
	}

	/**
	 * Watches for a deadline, unless an earlier one is watched for. A lease that joins
	 * may have the earliest deadline, because it may have waited long for its grant. The
	 * cost does not depend on the number of held leases.
	 */
	private synchronized void watchFor(long deadline) {
		PlannedWatch earlier = this.planned;
		if (this.stopped || (earlier != null && deadline - earlier.deadline() >= 0)) {
			return;
		}
		long delay = Math.max(0, deadline - this.nanoTime.getAsLong());
		long number = ++this.last;
		// If the schedule fails, the next lease that joins tries again.
		this.planned = null;
		this.planned = new PlannedWatch(this.scheduler.schedule(() -> watch(number), delay, TimeUnit.NANOSECONDS),
				deadline);
		cancel(earlier);
	}

	private void watch(long number) {
		if (!begins(number)) {
			return;
		}
		long now = this.nanoTime.getAsLong();
		try {
			this.leases.forEach((lease) -> lease.checkDeadline(now));
		}
		catch (Throwable ex) {
			logger.error("The watch over lease deadlines failed unexpectedly and continues. Report this as a bug", ex);
		}
		finally {
			this.leases.stream()
				.mapToLong((lease) -> lease.deadline() - now)
				.min()
				.ifPresent((remaining) -> watchFor(now + remaining));
		}
	}

	/**
	 * Marks the watch as done, so that a lease that joins later schedules a new one.
	 * Returns {@code false} if another one was scheduled since: a scheduler that cannot
	 * start a thread throws, and still runs the task as soon as it has a thread.
	 */
	private synchronized boolean begins(long number) {
		if (number != this.last) {
			return false;
		}
		this.planned = null;
		return true;
	}

	/**
	 * Stops a watch over a group that no lease will join any more.
	 */
	synchronized void stop() {
		this.stopped = true;
		cancel(this.planned);
	}

	private static void cancel(@Nullable PlannedWatch planned) {
		if (planned != null) {
			planned.task().cancel(false);
		}
	}

	/**
	 * Watch that is planned. A lease that joins reads both values without the monitor, so
	 * they are written together.
	 *
	 * @param task the task
	 * @param deadline the deadline, by the monotonic clock
	 */
	private record PlannedWatch(Future<?> task, long deadline) {

	}

}
