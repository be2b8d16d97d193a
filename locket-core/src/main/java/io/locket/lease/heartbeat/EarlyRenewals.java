package io.locket.lease.heartbeat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * First renewals of leases whose store lists a lease from its first renewal on. One task
 * a second at most renews the leases that have become old enough. Nothing is scheduled
 * while no such lease is young. A failed first renewal is repeated by the next one or by
 * the beat. Thread-safe.
 */
final class EarlyRenewals {

	private static final Log logger = LogFactory.getLog(EarlyRenewals.class);

	private static final long DELAY = TimeUnit.SECONDS.toNanos(1);

	private final Set<LiveLease> leases;

	private final boolean needed;

	private final ScheduledExecutorService scheduler;

	private final LongSupplier nanoTime;

	private final Consumer<List<LiveLease>> renewal;

	private final AtomicBoolean planned = new AtomicBoolean();

	private volatile boolean stopped;

	private volatile @Nullable Future<?> task;

	/**
	 * Creates the renewals of a group.
	 * @param leases the leases of the group
	 * @param interval the interval of its beat. Leases with a short one wait for it
	 * @param scheduler the scheduler of the beats
	 * @param nanoTime the monotonic clock
	 * @param renewal renews leases, and reports failures itself
	 */
	EarlyRenewals(Set<LiveLease> leases, Duration interval, ScheduledExecutorService scheduler, LongSupplier nanoTime,
			Consumer<List<LiveLease>> renewal) {
		this.leases = leases;
		this.needed = interval.toNanos() > 2 * DELAY;
		this.scheduler = scheduler;
		this.nanoTime = nanoTime;
		this.renewal = renewal;
	}

	/**
	 * Plans the first renewal of a lease that has joined the group, unless one is
	 * planned.
	 */
	void joined(LiveLease lease) {
		if (this.needed && !this.planned.get() && lease.renewer().renewsSoon()) {
			plan();
		}
	}

	private void plan() {
		if (!this.stopped && this.planned.compareAndSet(false, true)) {
			try {
				this.task = this.scheduler.schedule(this::run, DELAY, TimeUnit.NANOSECONDS);
			}
			catch (RuntimeException | Error ex) {
				this.planned.set(false);
				throw ex;
			}
		}
	}

	private void run() {
		// First, so that a lease that joins from now on plans its own renewal.
		this.planned.set(false);
		long now = this.nanoTime.getAsLong();
		List<LiveLease> fresh = this.leases.stream().filter(EarlyRenewals::isFresh).toList();
		List<LiveLease> due = fresh.stream().filter((lease) -> !isYoung(lease, now)).toList();
		try {
			if (!due.isEmpty()) {
				this.renewal.accept(due);
			}
		}
		catch (Throwable ex) {
			logger.error("A first renewal failed unexpectedly and is left to the heartbeat. Report this as a bug", ex);
		}
		finally {
			if (fresh.size() > due.size()) {
				plan();
			}
		}
	}

	private static boolean isFresh(LiveLease lease) {
		return !lease.isRenewed() && lease.renewer().renewsSoon();
	}

	private static boolean isYoung(LiveLease lease, long now) {
		return now - lease.renewedAt() < DELAY / 2;
	}

	/**
	 * Cancels the planned renewal of a group without leases.
	 */
	void stop() {
		this.stopped = true;
		Future<?> planned = this.task;
		if (planned != null) {
			planned.cancel(false);
		}
	}

}
