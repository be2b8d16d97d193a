package io.locket.schedule.firing;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.Lease;
import io.locket.log.OutageLog;
import io.locket.queue.QueueUnavailableException;
import io.locket.schedule.FiringReply;
import io.locket.schedule.FiringResult;
import io.locket.schedule.LeaseProof;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.leader.LeaderTask;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Term of the leader. It reads the schedules, and requests the firings that are due.
 */
final class LeaderTerm implements LeaderTask.Term {

	private static final Log logger = LogFactory.getLog(LeaderTerm.class);

	private static final Duration RETRY = Duration.ofMillis(500);

	private final Lease lease;

	private final LeaseProof proof;

	private final ScheduleStore store;

	private final BiFunction<ScheduleQueue, Instant, FiringBatch> rounds;

	private final FiringSettings settings;

	private final LongSupplier nanoTime;

	private final TermSchedules schedules;

	private final OutageLog outage;

	/**
	 * Number of the next calls that have a single firing.
	 */
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
		this.rounds = rounds;
		this.settings = settings;
		this.nanoTime = nanoTime;
		this.schedules = new TermSchedules(store, configuration, this.proof, settings.group(), nanoTime);
		this.outage = new OutageLog(logger, nanoTime,
				"Calls of the leader fail, so schedules do not fire. They are repeated until they are answered, and"
						+ " missed firings are made up for",
				"Calls of the leader are answered again");
	}

	@Override
	public Duration perform() {
		try {
			if (!this.schedules.refresh()) {
				loseLease();
			}
			else if (this.lease.isHeld()) {
				fire();
			}
			this.outage.answered();
			return this.lease.isHeld() ? this.schedules.rest() : Duration.ZERO;
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			this.outage.failed(ex);
			// A time may have fired whose reply was lost.
			this.schedules.invalidate();
			return RETRY;
		}
	}

	private void fire() {
		FiringBatch round = this.rounds.apply(this.schedules.queue(), this.schedules.now());
		round.compose((this.oneByOne > 0) ? 1 : ScheduleStore.BATCH);
		if (round.isEmpty()) {
			return;
		}
		if (!this.lease.isHeld()) {
			round.requeue();
			return;
		}
		long requestedAt = this.nanoTime.getAsLong();
		FiringReply reply;
		try {
			reply = request(round);
		}
		catch (RuntimeException ex) {
			failed(round, ex);
			return;
		}
		answered(round, reply, requestedAt);
	}

	private FiringReply request(FiringBatch round) {
		return this.store.fire(this.proof, this.settings.ttl(), round.firings());
	}

	private void answered(FiringBatch round, FiringReply reply, long requestedAt) {
		this.oneByOne = Math.max(0, this.oneByOne - 1);
		this.schedules.learnTime(reply.time(), requestedAt);
		Set<FiringResult.Refused> refused = round.answered(reply);
		if (refused.contains(FiringResult.Refused.CHANGED)) {
			this.schedules.invalidate();
		}
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
		this.schedules.invalidate();
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
			if (!answersOthers(round)) {
				round.requeue();
				return;
			}
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			round.requeue();
			throw ex;
		}
		long requestedAt = this.nanoTime.getAsLong();
		FiringReply reply = round.isFailing() ? null : repeat(round);
		if (reply != null) {
			answered(round, reply, requestedAt);
			return;
		}
		round.refused(failure);
		this.oneByOne = Math.max(0, this.oneByOne - 1);
	}

	/**
	 * Reads and writes as a firing does. While a slot of a cluster moves, the store
	 * answers only for single keys, and the first call reads several ones. A store that
	 * has become a replica, or has too few of them, refuses only writes, and the renewal
	 * writes.
	 * @return {@code false} if the lease is lost
	 */
	private boolean answersOthers(FiringBatch round) {
		this.store.find(round.firings().get(0).schedule());
		return this.lease.renew();
	}

	private @Nullable FiringReply repeat(FiringBatch round) {
		try {
			return request(round);
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

}
