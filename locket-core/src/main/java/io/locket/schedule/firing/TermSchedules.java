package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.ScheduleStore.RevisionAt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Schedules of a term as they were last read, and the clock of the store. The revision is
 * checked so often that a change is detected within a second. All schedules are read when
 * it has changed. They are also read every minute, because data lost in Redis and a clock
 * that was set do not change the revision. Not thread-safe.
 */
final class TermSchedules {

	private static final Log logger = LogFactory.getLog(TermSchedules.class);

	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

	private static final long READ_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final ScheduleStore store;

	private final LeaderConfiguration configuration;

	private final LeaseProof leader;

	private final LongSupplier nanoTime;

	private final StoreClock clock;

	private final ScheduleQueue queue;

	/**
	 * Whether the configuration of this process was stored in this term.
	 */
	private boolean configured;

	/**
	 * Whether the schedules have to be read, whatever the revision is.
	 */
	private boolean stale = true;

	private long revision;

	private long checkedAt;

	private long readAt;

	/**
	 * Creates an instance without schedules, which are read when they are first needed.
	 * @param store the store of the schedules
	 * @param configuration the schedules of this process
	 * @param leader the leader's lease
	 * @param group the group of the schedules
	 * @param nanoTime the monotonic clock
	 */
	TermSchedules(ScheduleStore store, LeaderConfiguration configuration, LeaseProof leader, String group,
			LongSupplier nanoTime) {
		this.store = store;
		this.configuration = configuration;
		this.leader = leader;
		this.nanoTime = nanoTime;
		this.clock = new StoreClock(nanoTime);
		this.queue = new ScheduleQueue(group);
	}

	/**
	 * Returns the active schedules, ordered by their next action.
	 */
	ScheduleQueue queue() {
		return this.queue;
	}

	/**
	 * Returns the time of the store, or an earlier one.
	 */
	Instant now() {
		return this.clock.now();
	}

	/**
	 * Requires that the schedules are read before they are used again.
	 */
	void invalidate() {
		this.stale = true;
	}

	/**
	 * Reads the schedules if they may have changed.
	 * @return {@code false} if this process does not lead
	 */
	boolean refresh() {
		long now = this.nanoTime.getAsLong();
		if (this.stale || now - this.readAt >= READ_NANOS) {
			return read();
		}
		if (now - this.checkedAt < CHECK_NANOS) {
			return true;
		}
		RevisionAt found = this.store.revisionAt();
		this.checkedAt = now;
		// The clock may have been put forward or back, as in a fail-over.
		learnTime(found.time(), now);
		boolean changed = this.stale || found.revision() != this.revision;
		return !changed || read();
	}

	/**
	 * Reads the schedules. The configuration of this process is stored first, unless the
	 * store already matches it.
	 */
	private boolean read() {
		ScheduleSnapshot snapshot = this.configured ? load() : null;
		if (snapshot == null || !this.configuration.isIn(snapshot)) {
			if (!this.configuration.write(this.store, this.leader)) {
				return false;
			}
			snapshot = load();
		}
		Set<String> lost = this.queue.replace(snapshot);
		if (!lost.isEmpty()) {
			logger.warn("The store has lost the last firings of " + ScheduleQueue.count(lost)
					+ ", as in a fail-over. Their times since then fire again within the catch-up of each schedule");
		}
		if (!this.configured) {
			this.configured = true;
			if (!this.queue.isEmpty() || this.configuration.hasEndedOthers()) {
				logger.info(this.queue);
			}
		}
		this.revision = snapshot.revision();
		this.checkedAt = this.nanoTime.getAsLong();
		this.readAt = this.checkedAt;
		this.stale = false;
		return true;
	}

	private ScheduleSnapshot load() {
		long requestedAt = this.nanoTime.getAsLong();
		ScheduleSnapshot snapshot = this.store.load();
		learnTime(snapshot.time(), requestedAt);
		return snapshot;
	}

	/**
	 * Updates the clock. If it has been put back, the state of the schedules is
	 * discarded, because it was computed with the earlier clock.
	 * @param time the time of the store
	 * @param requestedAt the time of the request, by the monotonic clock
	 */
	void learnTime(Instant time, long requestedAt) {
		if (this.clock.learn(time, requestedAt)) {
			logger.warn("The clock of the store was put back, to " + time
					+ ". Schedules that have fired for later times do not fire until these are reached, or until they are"
					+ " resumed with Schedules.resume");
			this.queue.forget();
			invalidate();
		}
	}

	/**
	 * Returns the time until the next check or the first action.
	 */
	Duration rest() {
		if (this.stale) {
			return Duration.ZERO;
		}
		long nanos = CHECK_NANOS - (this.nanoTime.getAsLong() - this.checkedAt);
		Instant first = this.queue.first();
		if (first != null) {
			nanos = Math.min(nanos, this.clock.until(first).toNanos());
		}
		return Duration.ofNanos(Math.max(0, nanos));
	}

}
