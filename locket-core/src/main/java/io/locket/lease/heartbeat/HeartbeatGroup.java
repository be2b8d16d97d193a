package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.locket.event.HeartbeatCompleted;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renewal of all leases of one duration on one scheduler, and the watch over their
 * deadlines. Thread-safe.
 */
final class HeartbeatGroup {

	private static final Log logger = LogFactory.getLog(HeartbeatGroup.class);

	private final Set<LiveLease> leases = ConcurrentHashMap.newKeySet();

	private final long interval;

	private final ScheduledExecutorService scheduler;

	private final DeadlineWatch watch;

	private final Consumer<HeartbeatCompleted> publisher;

	private final LongSupplier nanoTime;

	private final Runnable onEmpty;

	private volatile @Nullable Future<?> beatTask;

	private final BatchRenewal renewal;

	private final EarlyRenewals early;

	/**
	 * Planned time of the next beat, while one is planned.
	 */
	private volatile long plannedAt;

	private long lastBeat;

	private boolean stopped;

	HeartbeatGroup(Duration interval, ScheduledExecutorService scheduler, ScheduledExecutorService watch,
			Consumer<HeartbeatCompleted> publisher, BatchRenewal renewal, LongSupplier nanoTime, Runnable onEmpty) {
		this.interval = interval.toNanos();
		this.scheduler = scheduler;
		this.watch = new DeadlineWatch(this.leases, watch, nanoTime);
		this.publisher = publisher;
		this.nanoTime = nanoTime;
		this.onEmpty = onEmpty;
		this.renewal = renewal;
		this.early = new EarlyRenewals(this.leases, interval, scheduler, nanoTime,
				(due) -> renewAll(due, nanoTime.getAsLong(), Duration.ZERO));
	}

	Set<LiveLease> leases() {
		return this.leases;
	}

	/**
	 * Starts the beat and the watch for a lease that joins, unless they run. A group that
	 * has been stopped has no leases and is not started again.
	 */
	void start(LiveLease lease) {
		if (this.leases.contains(lease)) {
			// Without the monitor: a group that becomes idle, or a watch that has run,
			// sees a lease that joined before.
			if (isIdle()) {
				startBeating();
			}
			if (isDue(lease, this.nanoTime.getAsLong())) {
				beatNow();
			}
			this.early.joined(lease);
			this.watch.joined(lease);
		}
	}

	/**
	 * Resumes the beats of a group that had become idle when a lease joined.
	 */
	synchronized void startBeating() {
		if (isIdle()) {
			beatAfter(this.nanoTime.getAsLong());
		}
	}

	/**
	 * Returns whether no beat is planned or runs. A beat that could not plan the next one
	 * is done.
	 */
	private boolean isIdle() {
		Future<?> task = this.beatTask;
		return task == null || task.isDone();
	}

	/**
	 * Brings the next beat forward for a lease whose grant took an interval or more, as
	 * through an outage. A beat that runs finds it when it plans the next one.
	 */
	private synchronized void beatNow() {
		Future<?> planned = this.beatTask;
		if (planned != null && this.plannedAt - this.nanoTime.getAsLong() > 0) {
			beatIn(0);
			planned.cancel(false);
		}
	}

	private synchronized void beatIn(long delay) {
		if (!this.stopped) {
			this.plannedAt = this.nanoTime.getAsLong() + delay;
			long number = ++this.lastBeat;
			this.beatTask = this.scheduler.schedule(() -> beat(number), delay, TimeUnit.NANOSECONDS);
		}
	}

	private synchronized boolean isLast(long number) {
		return number == this.lastBeat;
	}

	private synchronized void rest() {
		this.beatTask = null;
	}

	/**
	 * Beats, unless another beat was planned since. A scheduler that cannot start a
	 * thread throws, and still runs the task as soon as it has a thread.
	 */
	private void beat(long number) {
		if (!isLast(number)) {
			return;
		}
		long startedAt = this.nanoTime.getAsLong();
		boolean failed = true;
		try {
			failed = renewDue(startedAt);
		}
		catch (Throwable ex) {
			logger.error("A heartbeat failed unexpectedly and is repeated. Report this as a bug", ex);
		}
		finally {
			beatAgain(startedAt, failed);
		}
	}

	private void beatAgain(long startedAt, boolean failed) {
		try {
			planNext(startedAt, failed);
		}
		catch (Throwable ex) {
			logger.error("A heartbeat could not plan the next one and tries it once more", ex);
			beatIn(retryDelay());
		}
	}

	private void planNext(long startedAt, boolean failed) {
		if (this.leases.isEmpty()) {
			rest();
			this.onEmpty.run();
			return;
		}
		if (failed) {
			beatIn(retryDelay());
		}
		else {
			beatAfter(startedAt);
		}
	}

	/**
	 * Plans a beat an interval after a time, or at once if a lease has joined late. With
	 * the monitor, so that a lease that joins is found here or in {@link #beatNow()}.
	 */
	private synchronized void beatAfter(long time) {
		long now = this.nanoTime.getAsLong();
		boolean late = this.leases.stream()
			.anyMatch((lease) -> lease.isRenewable() && !lease.isRenewed() && isDue(lease, now));
		beatIn(late ? 0 : Math.max(0, this.interval - (now - time)));
	}

	private long retryDelay() {
		return Math.min(this.interval / 5, TimeUnit.SECONDS.toNanos(1));
	}

	/**
	 * Renews the leases that are due. A late beat is published even if no lease is due,
	 * because its cause, such as a pause of the process, may have cost the leases.
	 */
	private boolean renewDue(long now) {
		List<LiveLease> due = this.leases.stream().filter((lease) -> isDue(lease, now)).toList();
		long late = Math.max(0, now - this.plannedAt);
		if (due.isEmpty() && late < this.interval / 2) {
			return false;
		}
		return renewAll(due, now, Duration.ofNanos(late)) > 0;
	}

	private int renewAll(List<LiveLease> due, long now, Duration late) {
		int failures = this.renewal.renew(due, this.leases);
		this.publisher.accept(
				new HeartbeatCompleted(due.size(), failures, Duration.ofNanos(this.nanoTime.getAsLong() - now), late));
		return failures;
	}

	/**
	 * Returns whether a lease is due for a renewal. It is due for the first time after a
	 * whole interval. From then on it is renewed with the others, whose last renewals are
	 * about an interval old.
	 */
	private boolean isDue(LiveLease lease, long now) {
		long age = now - lease.renewedAt();
		return lease.isRenewed() ? age >= this.interval / 2 : age >= this.interval;
	}

	/**
	 * Returns the longest time by which the renewal of a held lease is overdue. Each
	 * lease is renewed once an interval.
	 * @param now the time, by the monotonic clock
	 */
	Duration overdue(long now) {
		long longest = 0;
		for (LiveLease lease : this.leases) {
			if (lease.isRenewable() && lease.isHeld()) {
				longest = Math.max(longest, now - lease.renewedAt() - this.interval);
			}
		}
		return Duration.ofNanos(longest);
	}

	/**
	 * Returns whether a renewal is overdue by more than an interval. A lease that joins
	 * just after a beat has begun is first renewed almost two intervals later, by a beat
	 * that takes some time. Therefore a tenth is added.
	 * @param now the time, by the monotonic clock
	 */
	boolean isLate(long now) {
		return overdue(now).toNanos() > this.interval + this.interval / 10;
	}

	/**
	 * Stops a group that no lease will join any more and cancels its tasks. A lease that
	 * joined and left while the group became idle may have started it again.
	 */
	synchronized void stop() {
		this.stopped = true;
		Future<?> task = this.beatTask;
		if (task != null) {
			task.cancel(false);
		}
		this.watch.stop();
		this.early.stop();
	}

}
