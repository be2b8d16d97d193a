package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.log.OutageLog;
import io.locket.queue.QueueUnavailableException;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleSnapshot;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.leader.LeaderTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Term of the leader. It checks the revision so often that a change is seen within a
 * second, and loads all schedules when it has changed. It also loads them every minute,
 * because data lost in Redis and a clock that was set do not change the revision.
 */
final class LeaderTerm implements LeaderTask.Term {

	private static final Log logger = LogFactory.getLog(LeaderTerm.class);

	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

	private static final long LOAD_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final Duration RETRY = Duration.ofMillis(500);

	private final Lease lease;

	private final LeaseProof proof;

	private final ScheduleStore store;

	private final LeaderConfiguration configuration;

	private final BiFunction<ScheduleQueue, Instant, FiringBatch> rounds;

	private final FiringSettings settings;

	private final LongSupplier nanoTime;

	private final StoreClock clock;

	private final OutageLog outage;

	private final ScheduleQueue dueSchedules;

	private boolean configured;

	private boolean stale = true;

	private long revision;

	private long checkedAt;

	private long loadedAt;

	private int oneByOne;

	/**
	 * Creates a term.
	 * @param lease the leader's lease
	 * @param store the store of the schedules
	 * @param configuration the schedules of this process
	 * @param rounds the factory of rounds
	 * @param settings the settings
	 * @param nanoTime the monotonic clock
	 */
	LeaderTerm(Lease lease, ScheduleStore store, LeaderConfiguration configuration,
			BiFunction<ScheduleQueue, Instant, FiringBatch> rounds, FiringSettings settings, LongSupplier nanoTime) {
		this.lease = lease;
		this.proof = LeaseProof.of(lease);
		this.store = store;
		this.configuration = configuration;
		this.rounds = rounds;
		this.settings = settings;
		this.dueSchedules = new ScheduleQueue(settings.group());
		this.nanoTime = nanoTime;
		this.clock = new StoreClock(nanoTime);
		this.outage = new OutageLog(logger, nanoTime,
				"Calls of the leader fail, so schedules do not fire. They are repeated until they are answered, and"
						+ " missed firings are made up for",
				"Calls of the leader are answered again");
	}

	@Override
	public Duration perform() {
		try {
			if (checkChanges() && this.lease.isHeld()) {
				fire();
			}
			return this.lease.isHeld() ? rest() : Duration.ZERO;
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			this.outage.failed(ex);
			// A time may have fired whose reply was lost.
			this.stale = true;
			return RETRY;
		}
	}

	/**
	 * Detects changes.
	 * @return {@code false} if this process does not lead
	 */
	private boolean checkChanges() {
		long now = this.nanoTime.getAsLong();
		if (!this.stale && now - this.loadedAt < LOAD_NANOS) {
			if (now - this.checkedAt < CHECK_NANOS) {
				return true;
			}
			boolean same = this.store.revision() == this.revision;
			this.checkedAt = now;
			this.outage.answered();
			if (same) {
				return true;
			}
		}
		return load();
	}

	private boolean load() {
		ScheduleSnapshot book = this.configured ? read() : null;
		if (book == null || !this.configuration.isIn(book)) {
			if (!this.configuration.write(this.store, this.proof)) {
				loseLease();
				return false;
			}
			book = read();
		}
		this.dueSchedules.replace(book);
		if (!this.configured) {
			this.configured = true;
			if (!this.dueSchedules.isEmpty()) {
				logger.info(this.dueSchedules);
			}
		}
		this.revision = book.revision();
		this.checkedAt = this.nanoTime.getAsLong();
		this.loadedAt = this.checkedAt;
		this.stale = false;
		this.outage.answered();
		return true;
	}

	private ScheduleSnapshot read() {
		long askedAt = this.nanoTime.getAsLong();
		ScheduleSnapshot book = this.store.load();
		updateClock(book.time(), askedAt);
		return book;
	}

	/**
	 * Updates the clock. If it has been put back, the state of the dueSchedules is
	 * discarded, because it was computed with the earlier clock.
	 */
	private void updateClock(Instant time, long askedAt) {
		if (this.clock.learn(time, askedAt)) {
			logger.warn("The clock of the store was put back, to " + time
					+ ". Schedules that have fired for later times do not fire until these are reached, or until they are"
					+ " resumed with Schedules.resume");
			this.dueSchedules.forget();
			this.stale = true;
		}
	}

	private void fire() {
		FiringBatch round = this.rounds.apply(this.dueSchedules, this.clock.now());
		round.compose((this.oneByOne > 0) ? 1 : ScheduleStore.BATCH);
		if (round.isEmpty()) {
			return;
		}
		if (!this.lease.isHeld()) {
			round.requeue();
			return;
		}
		long askedAt = this.nanoTime.getAsLong();
		FiringReply reply;
		try {
			reply = ask(round);
		}
		catch (RuntimeException ex) {
			failed(round, ex);
			return;
		}
		answered(round, reply, askedAt);
	}

	private FiringReply ask(FiringBatch round) {
		return this.store.fire(this.proof, this.settings.ttl(), round.firings());
	}

	private void answered(FiringBatch round, FiringReply reply, long askedAt) {
		this.outage.answered();
		this.oneByOne = Math.max(0, this.oneByOne - 1);
		updateClock(reply.time(), askedAt);
		Set<FiringResult.Refused> refused = round.answered(reply);
		this.stale |= refused.contains(FiringResult.Refused.CHANGED);
		if (refused.contains(FiringResult.Refused.NOT_LEADER)) {
			loseLease();
		}
	}

	/**
	 * Handles a call that failed. If it had several firings, only one of them may be the
	 * cause, so they are requested one by one.
	 */
	private void failed(FiringBatch round, RuntimeException failure) {
		int firings = round.firings().size();
		if (firings == 1) {
			failedAlone(round, failure);
			return;
		}
		round.requeue();
		this.oneByOne = firings;
		this.stale = true;
		if (failure instanceof QueueUnavailableException) {
			throw failure;
		}
		logger.debug("The call failed for one of " + round.firings(), failure);
	}

	/**
	 * Handles a call with a single firing that failed. The firing is the cause if the
	 * store answers other calls but not its repetition. It is repeated, because it may
	 * have fired and only the answer was lost.
	 */
	private void failedAlone(FiringBatch round, RuntimeException failure) {
		try {
			this.store.revision();
		}
		catch (QueueUnavailableException ex) {
			round.requeue();
			throw ex;
		}
		long askedAt = this.nanoTime.getAsLong();
		FiringReply reply = round.isFailing() ? null : askAgain(round);
		if (reply != null) {
			answered(round, reply, askedAt);
			return;
		}
		round.refused(failure);
		this.oneByOne = Math.max(0, this.oneByOne - 1);
	}

	private @Nullable FiringReply askAgain(FiringBatch round) {
		try {
			return ask(round);
		}
		catch (RuntimeException ex) {
			logger.debug("The store answers other calls, but not " + round.firings(), ex);
			return null;
		}
	}

	/**
	 * Handles a reply that this process does not lead. If it still has the key, the
	 * record of the holder is damaged, and a new lease has a new record.
	 */
	private void loseLease() {
		if (this.lease.renew()) {
			logger.warn("The leader's lease holds, but not as that of this term, so nothing fires with it. It is given"
					+ " back and acquired again. If this is logged repeatedly, report it as a bug");
			this.lease.close();
		}
	}

	private Duration rest() {
		if (this.stale) {
			return Duration.ZERO;
		}
		long nanos = CHECK_NANOS - (this.nanoTime.getAsLong() - this.checkedAt);
		Instant first = this.dueSchedules.first();
		if (first != null) {
			nanos = Math.min(nanos, this.clock.until(first).toNanos());
		}
		return Duration.ofNanos(Math.max(0, nanos));
	}

}
