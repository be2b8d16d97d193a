package io.locket.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import io.locket.lease.Lease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A term of the leader. It asks for the revision so often that a change is seen within a
 * second, and for all schedules when that has changed, and every minute in any case: what
 * was lost in Redis, or a clock that was set, shows in no revision.
 */
final class ScheduleTerm implements LeaderDuty.Term {

	private static final Log logger = LogFactory.getLog(ScheduleTerm.class);

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(750);

	private static final long LOAD_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final Duration RETRY = Duration.ofMillis(500);

	private final Lease lease;

	private final LeaseProof proof;

	private final ScheduleStore store;

	private final LeaderConfiguration configuration;

	private final BiFunction<ScheduleAgenda, Instant, FiringRound> rounds;

	private final FiringSettings settings;

	private final LongSupplier nanoTime;

	private final StoreClock clock;

	private final StoreOutage outage;

	private final ScheduleAgenda agenda;

	private boolean configured;

	private boolean stale = true;

	private long revision;

	private long lookedAt;

	private long loadedAt;

	private int oneByOne;

	/**
	 * Create a term.
	 * @param lease the leader's lease
	 * @param store where the schedules are
	 * @param configuration the schedules of this process
	 * @param rounds makes what is fired in a call
	 * @param settings what to fire, and how
	 * @param nanoTime the monotonic clock
	 */
	ScheduleTerm(Lease lease, ScheduleStore store, LeaderConfiguration configuration,
			BiFunction<ScheduleAgenda, Instant, FiringRound> rounds, FiringSettings settings, LongSupplier nanoTime) {
		this.lease = lease;
		this.proof = LeaseProof.of(lease);
		this.store = store;
		this.configuration = configuration;
		this.rounds = rounds;
		this.settings = settings;
		this.agenda = new ScheduleAgenda(settings.group());
		this.nanoTime = nanoTime;
		this.clock = new StoreClock(nanoTime);
		this.outage = new StoreOutage(nanoTime);
	}

	@Override
	public Duration perform() {
		try {
			if (look() && this.lease.isHeld()) {
				fire();
			}
			return this.lease.isHeld() ? rest() : Duration.ZERO;
		}
		catch (RuntimeException ex) {
			this.outage.failed(ex);
			return RETRY;
		}
	}

	/**
	 * Find out what has changed.
	 * @return {@code false} if this process does not lead
	 */
	private boolean look() {
		long now = this.nanoTime.getAsLong();
		if (!this.stale && now - this.loadedAt < LOAD_NANOS) {
			if (now - this.lookedAt < LOOK_NANOS) {
				return true;
			}
			boolean same = this.store.revision() == this.revision;
			this.lookedAt = now;
			this.outage.answered();
			if (same) {
				return true;
			}
		}
		return load();
	}

	private boolean load() {
		ScheduleBook book = this.configured ? read() : null;
		if (book == null || !this.configuration.isIn(book)) {
			if (!this.configuration.write(this.store, this.proof)) {
				loseLease();
				return false;
			}
			book = read();
		}
		this.agenda.replace(book);
		if (!this.configured) {
			this.configured = true;
			if (!this.agenda.isEmpty()) {
				logger.info(this.agenda);
			}
		}
		this.revision = book.revision();
		this.lookedAt = this.nanoTime.getAsLong();
		this.loadedAt = this.lookedAt;
		this.stale = false;
		this.outage.answered();
		return true;
	}

	private ScheduleBook read() {
		long askedAt = this.nanoTime.getAsLong();
		ScheduleBook book = this.store.load();
		learn(book.time(), askedAt);
		return book;
	}

	/**
	 * What was done by a clock that has been put back since is not known to be done.
	 */
	private void learn(Instant time, long askedAt) {
		if (this.clock.learn(time, askedAt)) {
			logger.warn("The clock of the store was put back, to " + time
					+ ": schedules that have fired for later times are silent until these have come again, or are woken"
					+ " with Schedules.resume");
			this.agenda.forget();
			this.stale = true;
		}
	}

	private void fire() {
		FiringRound round = this.rounds.apply(this.agenda, this.clock.now());
		round.compose((this.oneByOne > 0) ? 1 : ScheduleStore.BATCH);
		if (round.isEmpty()) {
			return;
		}
		if (!this.lease.isHeld()) {
			round.putBack();
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

	private FiringReply ask(FiringRound round) {
		return this.store.fire(this.proof, this.settings.ttl(), round.firings());
	}

	private void answered(FiringRound round, FiringReply reply, long askedAt) {
		this.outage.answered();
		this.oneByOne = Math.max(0, this.oneByOne - 1);
		learn(reply.time(), askedAt);
		Set<FiringResult.Refused> refused = round.answered(reply);
		this.stale |= refused.contains(FiringResult.Refused.CHANGED);
		if (refused.contains(FiringResult.Refused.NOT_LEADER)) {
			loseLease();
		}
	}

	/**
	 * Where several firings get no answer, maybe only one of them is to blame: they are
	 * asked for one by one. One that gets no answer alone is to blame if the store
	 * answers otherwise, and not to this even when it is asked again: it may have fired,
	 * and the answer was lost.
	 */
	private void failed(FiringRound round, RuntimeException failure) {
		int firings = round.firings().size();
		if (firings > 1) {
			round.putBack();
			this.oneByOne = firings;
			throw failure;
		}
		try {
			this.store.revision();
		}
		catch (RuntimeException ex) {
			logger.debug("The store gives no answer at all", ex);
			round.putBack();
			throw failure;
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

	private @Nullable FiringReply askAgain(FiringRound round) {
		try {
			return ask(round);
		}
		catch (RuntimeException ex) {
			logger.debug("The store answers, but not to " + round.firings(), ex);
			return null;
		}
	}

	/**
	 * The store says that this process does not lead, whatever that believes. Where it
	 * has the key all the same, the record of who holds it is damaged: a new lease has a
	 * new one.
	 */
	private void loseLease() {
		if (this.lease.renew()) {
			logger.warn("The leader's lease holds, but not as that of this term, so that nothing fires by it:"
					+ " it is given back, and taken anew. Report this as a defect if it is said again");
			this.lease.close();
		}
	}

	private Duration rest() {
		if (this.stale) {
			return Duration.ZERO;
		}
		long nanos = LOOK_NANOS - (this.nanoTime.getAsLong() - this.lookedAt);
		Instant first = this.agenda.first();
		if (first != null) {
			nanos = Math.min(nanos, this.clock.until(first).toNanos());
		}
		return Duration.ofNanos(Math.max(0, nanos));
	}

}
