package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.LeaseLossCause;
import io.locket.event.JobEventPublisher;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease in this process: held, then either lost or released, once and for
 * ever.
 * <p>
 * The local deadline is when the last confirmed renewal was <em>sent</em>, plus the
 * duration, less a tenth: before it the store cannot have let the key expire.
 */
abstract class LiveLease implements Lease {

	private static final Log logger = LogFactory.getLog(LiveLease.class);

	private final JobKey key;

	private final Duration duration;

	private final Instant since;

	private final long fencingToken;

	private final Context context;

	private final long acquiredAt;

	private volatile long renewedAt;

	private volatile boolean renewed;

	private volatile boolean renewable = true;

	private boolean released;

	private volatile @Nullable LeaseLossCause lossCause;

	private List<Runnable> lossActions = List.of();

	LiveLease(JobKey key, Duration duration, Instant since, long fencingToken, long sentAt, Context context) {
		this.key = key;
		this.duration = duration;
		this.since = since;
		this.fencingToken = fencingToken;
		this.acquiredAt = sentAt;
		this.renewedAt = sentAt;
		this.context = context;
	}

	/**
	 * Give the key back to the store.
	 * @return why the lease turned out to be lost, or {@code null} if it was held
	 */
	abstract @Nullable LeaseLossCause giveBack();

	/**
	 * Give the key back, if it is still there, after the lease was lost because the store
	 * could not be reached.
	 */
	abstract void giveBackLater();

	/**
	 * Refuse a release that the store cannot do from this thread.
	 */
	void checkRelease() {
	}

	@Override
	public final JobKey key() {
		return this.key;
	}

	@Override
	public final long fencingToken() {
		return this.fencingToken;
	}

	@Override
	public final Instant since() {
		return this.since;
	}

	/**
	 * Return who renews this lease.
	 */
	final LeaseRenewer renewer() {
		return this.context.renewer();
	}

	final Duration duration() {
		return this.duration;
	}

	final long renewedAt() {
		return this.renewedAt;
	}

	final boolean isRenewed() {
		return this.renewed;
	}

	/**
	 * The store cannot renew this lease.
	 */
	final void endsWithItsDuration() {
		this.renewable = false;
		logger.trace("The store cannot renew " + this);
	}

	/**
	 * Return whether the store can renew this lease, as far as it has been asked.
	 */
	final boolean isRenewable() {
		return this.renewable;
	}

	/**
	 * The local deadline, by the monotonic clock.
	 */
	final long deadline() {
		long nanos = this.duration.toNanos();
		return this.renewedAt + nanos - nanos / 10;
	}

	@Override
	public final Duration remaining() {
		return isHeld() ? Duration.ofNanos(Math.max(0, deadline() - this.context.nanoTime().getAsLong()))
				: Duration.ZERO;
	}

	@Override
	public final boolean isHeld() {
		return lossCause() == null && !isReleased();
	}

	private synchronized boolean isReleased() {
		return this.released;
	}

	@Override
	public final @Nullable LeaseLossCause lossCause() {
		if (this.lossCause == null) {
			checkDeadline(this.context.nanoTime().getAsLong());
		}
		return this.lossCause;
	}

	final void checkDeadline(long now) {
		if (now - deadline() >= 0) {
			lose(LeaseLossCause.UNREACHABLE);
		}
	}

	/**
	 * A renewal that was sent at the given time has been confirmed.
	 */
	final synchronized void confirm(long sentAt) {
		this.renewedAt = Math.max(this.renewedAt, sentAt);
		this.renewed = true;
	}

	/**
	 * The lease is lost, unless it was lost or released before. Nobody renews it any
	 * more.
	 */
	final void lose(LeaseLossCause cause) {
		this.context.heartbeat().remove(this);
		fail(cause);
	}

	/**
	 * The lease is lost, unless it was lost or released before, and those who asked for
	 * that are told.
	 */
	final void fail(LeaseLossCause cause) {
		List<Runnable> actions;
		synchronized (this) {
			if (this.released || this.lossCause != null) {
				return;
			}
			this.lossCause = cause;
			actions = this.lossActions;
			this.lossActions = List.of();
		}
		logger.warn("Lost the lease of job " + this.key + " (" + cause
				+ "): who holds it here is told, and another may take it. Find out why: pauses of this process, Redis, a"
				+ " release by force");
		tellLoss(cause, actions);
	}

	@Override
	public final void onLost(Runnable action) {
		synchronized (this) {
			if (this.released) {
				return;
			}
			if (this.lossCause == null) {
				List<Runnable> actions = new ArrayList<>(this.lossActions);
				actions.add(action);
				this.lossActions = actions;
				return;
			}
		}
		this.context.notifier().execute(() -> runSafely(action));
	}

	private void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"An action on the loss of the lease of job " + this.key + " failed: mend it. The others are told",
					ex);
		}
	}

	@Override
	public final boolean renew() {
		return isHeld() && this.context.heartbeat().renewNow(this);
	}

	@Override
	public final void close() {
		boolean lost;
		List<Runnable> actions;
		synchronized (this) {
			if (this.released) {
				return;
			}
			checkRelease();
			this.released = true;
			actions = this.lossActions;
			this.lossActions = List.of();
			lost = this.lossCause != null;
		}
		this.context.heartbeat().remove(this);
		try {
			if (lost) {
				giveBackLater();
			}
			else {
				release(actions);
			}
		}
		finally {
			this.context.closing().leave();
		}
	}

	private void release(List<Runnable> actions) {
		LeaseLossCause cause = giveBack();
		if (cause == null) {
			this.context.events()
				.publish(new LeaseReleased(this.key, this.fencingToken,
						Duration.ofNanos(this.context.nanoTime().getAsLong() - this.acquiredAt)));
			return;
		}
		this.lossCause = cause;
		logger.warn("The lease of job " + this.key + " was lost before its body ended (" + cause
				+ "): another may have run beside it. Find out why: pauses of this process, Redis, a release by force");
		tellLoss(cause, actions);
	}

	private void tellLoss(LeaseLossCause cause, List<Runnable> actions) {
		this.context.notifier().execute(() -> {
			actions.forEach(this::runSafely);
			this.context.events().publish(new LeaseLost(this.key, this.fencingToken, cause));
		});
	}

	/**
	 * Return whether the store can have let the key expire.
	 */
	final boolean isPastDeadline() {
		return this.context.nanoTime().getAsLong() - deadline() >= 0;
	}

	@Override
	public String toString() {
		return "Lease of " + this.key + " (fencing token " + this.fencingToken + ")";
	}

	/**
	 * What all leases of a process share.
	 *
	 * @param heartbeat keeps them alive
	 * @param events is told of their ends
	 * @param notifier runs what is to be done at a loss, off the heartbeat's threads
	 * @param nanoTime the monotonic clock
	 * @param closing is told when a lease was given back
	 * @param renewer renews them
	 */
	record Context(LeaseHeartbeat heartbeat, JobEventPublisher events, Executor notifier, LongSupplier nanoTime,
			LeaseClosing closing, LeaseRenewer renewer) {
	}

}
