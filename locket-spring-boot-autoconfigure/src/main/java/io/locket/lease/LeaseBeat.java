package io.locket.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.locket.LeaseLossCause;
import io.locket.event.HeartbeatCompleted;
import io.locket.lease.LeaseRenewer.Renewal;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The beat of all leases of one duration, and the watch over their deadlines.
 */
final class LeaseBeat {

	private static final Log logger = LogFactory.getLog(LeaseBeat.class);

	/**
	 * A call that failed sooner than this was refused by a store that is there: the next
	 * batch may fare better. A slower failure means that the store hangs.
	 */
	private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final Set<LiveLease> leases = ConcurrentHashMap.newKeySet();

	private final long interval;

	private final ScheduledExecutorService scheduler;

	private final ScheduledExecutorService watch;

	private final Consumer<HeartbeatCompleted> told;

	private final LongSupplier nanoTime;

	private final Runnable onEmpty;

	private @Nullable Future<?> beatTask;

	private @Nullable Future<?> watchTask;

	private long watchedFor;

	/**
	 * When the next beat is to begin, while one is planned.
	 */
	private volatile long plannedAt;

	private boolean stopped;

	LeaseBeat(Duration interval, ScheduledExecutorService scheduler, ScheduledExecutorService watch,
			Consumer<HeartbeatCompleted> told, LongSupplier nanoTime, Runnable onEmpty) {
		this.interval = interval.toNanos();
		this.scheduler = scheduler;
		this.watch = watch;
		this.told = told;
		this.nanoTime = nanoTime;
		this.onEmpty = onEmpty;
	}

	Set<LiveLease> leases() {
		return this.leases;
	}

	/**
	 * Start what does not run yet. A beat that has been stopped has no leases, and stays
	 * still.
	 */
	void start() {
		if (!this.leases.isEmpty()) {
			startBeating();
			startWatching();
		}
	}

	/**
	 * Go on with a beat that had come to rest when a lease joined.
	 */
	synchronized void startBeating() {
		if (this.beatTask == null) {
			beatIn(this.interval);
		}
	}

	private synchronized void beatIn(long delay) {
		if (!this.stopped) {
			this.plannedAt = this.nanoTime.getAsLong() + delay;
			this.beatTask = this.scheduler.schedule(this::beat, delay, TimeUnit.NANOSECONDS);
		}
	}

	private synchronized void rest() {
		this.beatTask = null;
	}

	private void beat() {
		long startedAt = this.nanoTime.getAsLong();
		boolean failed = true;
		try {
			failed = renewDue(startedAt);
		}
		catch (Throwable ex) {
			logger.error("A heartbeat failed in an unforeseen way and is repeated: report this as a defect", ex);
		}
		finally {
			beatAgain(startedAt, failed);
		}
	}

	private void beatAgain(long startedAt, boolean failed) {
		if (this.leases.isEmpty()) {
			rest();
			this.onEmpty.run();
			return;
		}
		long elapsed = this.nanoTime.getAsLong() - startedAt;
		long delay = failed ? retryDelay() : Math.max(0, this.interval - elapsed);
		beatIn(delay);
	}

	private long retryDelay() {
		return Math.min(this.interval / 5, TimeUnit.SECONDS.toNanos(1));
	}

	/**
	 * A beat that has nothing to renew is told if it is late all the same: what has held
	 * it up, such as a pause of the process, may have cost the leases.
	 */
	private boolean renewDue(long now) {
		List<LiveLease> due = this.leases.stream().filter((lease) -> isDue(lease, now)).toList();
		long late = Math.max(0, now - this.plannedAt);
		if (due.isEmpty() && late < this.interval / 2) {
			return false;
		}
		int failures = 0;
		for (Map.Entry<LeaseRenewer, List<LiveLease>> ofStore : byRenewer(due).entrySet()) {
			failures += renewAll(ofStore.getKey(), ofStore.getValue());
		}
		this.told.accept(new HeartbeatCompleted(due.size(), failures, Duration.ofNanos(this.nanoTime.getAsLong() - now),
				Duration.ofNanos(late)));
		return failures > 0;
	}

	private static Map<LeaseRenewer, List<LiveLease>> byRenewer(List<LiveLease> leases) {
		return leases.stream()
			.collect(Collectors.groupingBy(LiveLease::renewer, IdentityHashMap::new, Collectors.toList()));
	}

	/**
	 * Renew leases of one store; the next one may fare better than one that hangs.
	 */
	private int renewAll(LeaseRenewer renewer, List<LiveLease> due) {
		int failures = 0;
		boolean hangs = false;
		for (int from = 0; from < due.size() && !hangs; from += LeaseRenewer.BATCH) {
			List<LiveLease> batch = due.subList(from, Math.min(due.size(), from + LeaseRenewer.BATCH));
			long sentAt = this.nanoTime.getAsLong();
			try {
				renew(renewer, batch, sentAt);
			}
			catch (RuntimeException ex) {
				failures++;
				hangs = this.nanoTime.getAsLong() - sentAt > FAST_NANOS;
				logger.warn(
						"Could not renew " + batch.size() + " leases; trying again soon. They are lost unless the store"
								+ " answers before their deadline: look at Redis. " + ex);
			}
		}
		return failures;
	}

	/**
	 * A lease is due for the first time after a whole interval; from then on it beats
	 * with the others, whose last renewals lie about an interval back.
	 */
	private boolean isDue(LiveLease lease, long now) {
		long age = now - lease.renewedAt();
		return lease.isRenewed() ? age >= this.interval / 2 : age >= this.interval;
	}

	/**
	 * Return by how much the renewal of a held lease is overdue at the most: each is to
	 * be renewed once an interval.
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
	 * Return whether a renewal is overdue by more than an interval. A lease that joins
	 * just after a beat has begun is first renewed almost two intervals later, by a beat
	 * that takes its time, too: hence the tenth.
	 * @param now the time, by the monotonic clock
	 */
	boolean isLate(long now) {
		return overdue(now).toNanos() > this.interval + this.interval / 10;
	}

	private void renew(LeaseRenewer renewer, List<LiveLease> batch, long sentAt) {
		List<LiveLease> held = new ArrayList<>(batch);
		held.retainAll(this.leases);
		if (held.isEmpty()) {
			return;
		}
		List<Renewal> answers = renewer.renew(held);
		for (int i = 0; i < held.size(); i++) {
			apply(held.get(i), answers.get(i), sentAt);
		}
	}

	static void apply(LiveLease lease, Renewal answer, long sentAt) {
		switch (answer) {
			case RENEWED -> lease.confirm(sentAt);
			case TAKEN -> lease.lose(LeaseLossCause.TAKEN);
			case GONE -> lease.lose(LeaseLossCause.GONE);
			case NOT_RENEWABLE -> lease.endsWithItsDuration();
		}
	}

	/**
	 * Watch for the earliest deadline, also if a lease joins whose deadline is earlier
	 * than the one that is watched for: it may have waited long for its grant.
	 */
	private synchronized void startWatching() {
		if (this.stopped || this.leases.isEmpty()) {
			return;
		}
		long now = this.nanoTime.getAsLong();
		long delay = Math.max(0, this.leases.stream().mapToLong((lease) -> lease.deadline() - now).min().orElse(0));
		Future<?> task = this.watchTask;
		if (task != null && !task.isDone()) {
			if (now + delay - this.watchedFor >= 0) {
				return;
			}
			task.cancel(false);
		}
		this.watchedFor = now + delay;
		this.watchTask = this.watch.schedule(this::watch, delay, TimeUnit.NANOSECONDS);
	}

	/**
	 * End a beat that no lease will join any more, with all that it has scheduled: a
	 * lease that came and went while the beat went to rest has started it again.
	 */
	synchronized void stop() {
		this.stopped = true;
		cancel(this.beatTask);
		cancel(this.watchTask);
	}

	private static void cancel(@Nullable Future<?> task) {
		if (task != null) {
			task.cancel(false);
		}
	}

	private void watch() {
		long now = this.nanoTime.getAsLong();
		try {
			this.leases.forEach((lease) -> lease.checkDeadline(now));
		}
		catch (Throwable ex) {
			logger.error(
					"The watch over lease deadlines failed in an unforeseen way and goes on: report this as a defect",
					ex);
		}
		finally {
			synchronized (this) {
				this.watchTask = null;
				startWatching();
			}
		}
	}

}
