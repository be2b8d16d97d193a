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

import org.springframework.util.Assert;

/**
 * Term of the leader. It reads the schedules, and requests the firings that are due.
 */
final class LeaderTerm implements LeaderTask.Term {

	private static final Log logger = LogFactory.getLog(LeaderTerm.class);

	private static final Duration RETRY = Duration.ofMillis(500);

	private final Lease lease;

	private final LeaseProof proof;

	private final ScheduleStore store;

	private final BiFunction<ScheduleQueue, Instant, FiringBatch> batches;

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
	 * @param batches the factory of batches
	 * @param settings the settings
	 * @param nanoTime the monotonic clock
	 */
	LeaderTerm(Lease lease, ScheduleStore store, LeaderConfiguration configuration,
			BiFunction<ScheduleQueue, Instant, FiringBatch> batches, FiringSettings settings, LongSupplier nanoTime) {
		this.lease = lease;
		this.proof = LeaseProof.of(lease);
		this.store = store;
		this.batches = batches;
		this.settings = settings;
		this.nanoTime = nanoTime;
		this.schedules = new TermSchedules(store, configuration, this.proof, settings.group(), nanoTime);
		this.outage = new OutageLog(logger, nanoTime,
				"Calls of the leader fail, so schedules do not fire. They are repeated until they succeed, and"
						+ " missed firings are made up for",
				"Calls of the leader succeed again");
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
			this.outage.succeeded();
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
		FiringBatch batch = this.batches.apply(this.schedules.queue(), this.schedules.now());
		batch.compose((this.oneByOne > 0) ? 1 : ScheduleStore.BATCH);
		if (batch.isEmpty()) {
			return;
		}
		if (!this.lease.isHeld()) {
			batch.requeue();
			return;
		}
		long requestedAt = this.nanoTime.getAsLong();
		FiringReply reply;
		try {
			reply = request(batch);
		}
		catch (RuntimeException ex) {
			failed(batch, ex);
			return;
		}
		onReply(batch, reply, requestedAt);
	}

	private FiringReply request(FiringBatch batch) {
		return this.store.fire(this.proof, this.settings.ttl(), batch.firings());
	}

	private void onReply(FiringBatch batch, FiringReply reply, long requestedAt) {
		this.oneByOne = Math.max(0, this.oneByOne - 1);
		this.schedules.learnTime(reply.time(), requestedAt);
		Set<FiringResult.Refused> refused = batch.onReply(reply);
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
	private void failed(FiringBatch batch, RuntimeException failure) {
		int firings = batch.firings().size();
		if (firings == 1) {
			failedAlone(batch, failure);
			return;
		}
		batch.requeue();
		this.oneByOne = firings;
		this.schedules.invalidate();
		if (failure instanceof QueueUnavailableException) {
			throw failure;
		}
		logger.debug("The call failed for one of " + batch.firings(), failure);
	}

	/**
	 * Handles a call with a single firing that failed. The firing is the cause if the
	 * store replies to other calls but not to its repetition. It is repeated, because it
	 * may have fired and only the reply was lost.
	 */
	private void failedAlone(FiringBatch batch, RuntimeException failure) {
		try {
			if (!repliesToOthers(batch)) {
				batch.requeue();
				return;
			}
		}
		catch (QueueUnavailableException | LeaseUnavailableException ex) {
			batch.requeue();
			throw ex;
		}
		long requestedAt = this.nanoTime.getAsLong();
		FiringReply reply = batch.isFailing() ? null : repeat(batch);
		if (reply != null) {
			onReply(batch, reply, requestedAt);
			return;
		}
		batch.refused(failure);
		this.oneByOne = Math.max(0, this.oneByOne - 1);
	}

	/**
	 * Reads and writes as a firing does. While a slot of a cluster moves, the store
	 * replies only for single keys, and the first call reads several ones. A store that
	 * has become a replica, or has too few of them, refuses only writes, and the renewal
	 * writes.
	 * @return {@code false} if the lease is lost
	 */
	private boolean repliesToOthers(FiringBatch batch) {
		this.store.find(batch.firings().get(0).schedule());
		return this.lease.renew();
	}

	private @Nullable FiringReply repeat(FiringBatch batch) {
		try {
			return request(batch);
		}
		catch (RuntimeException ex) {
			logger.debug("The store replies to other calls, but not to " + batch.firings(), ex);
			return null;
		}
	}

	/**
	 * Handles a reply that this process does not lead. If it still has the key, the
	 * record of the holder is damaged, and a new lease has a new record. The failure ends
	 * the term, and the back-off of the candidate delays the next one.
	 */
	private void loseLease() {
		Assert.state(!this.lease.renew(),
				"The leader's lease holds, but not as that of this term, so nothing fires with it. If this is logged"
						+ " repeatedly, report it as a bug");
	}

}
