package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.LeaseKind;
import io.locket.LeaseLossCause;
import io.locket.event.LeaseLost;
import io.locket.event.LeaseReleased;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.Lease;
import io.locket.log.MaskedFailureException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * State of a lease in this process: held, and finally either lost or released.
 * Thread-safe.
 * <p>
 * The local deadline is the time at which the last confirmed renewal was <em>sent</em>,
 * plus the duration, less a tenth. Before it the store cannot have let the key expire.
 */
public abstract class LiveLease implements Lease {

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

	private final boolean masked;

	private boolean released;

	private volatile @Nullable LeaseLossCause lossCause;

	private List<Runnable> lossActions = List.of();

	public LiveLease(JobKey key, Duration duration, Instant since, long fencingToken, long sentAt, Context context) {
		this(key, duration, since, fencingToken, sentAt, context, false);
	}

	/**
	 * Creates a lease.
	 * @param masked whether to keep the messages of failed loss actions out of logs. So
	 * does a masked key
	 */
	LiveLease(JobKey key, Duration duration, Instant since, long fencingToken, long sentAt, Context context,
			boolean masked) {
		this.key = key;
		this.duration = duration;
		this.since = since;
		this.fencingToken = fencingToken;
		this.acquiredAt = sentAt;
		this.renewedAt = sentAt;
		this.context = context;
		this.masked = masked || JobKeys.isMasked(key);
	}

	/**
	 * Releases the key in the store.
	 * @return the reason for which the lease was lost before, or {@code null} if it was
	 * held
	 */
	protected abstract @Nullable LeaseLossCause releaseInStore();

	/**
	 * Releases the key in the background, if the store still has it, after the lease was
	 * lost because the store could not be reached.
	 */
	protected abstract void releaseInStoreLater();

	/**
	 * Returns the kind of this lease.
	 */
	LeaseKind kind() {
		return LeaseKind.ofJob(this.key.job());
	}

	/**
	 * Checks that the store can release this lease from this thread.
	 */
	protected void checkRelease() {
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
	 * Returns the renewer of this lease.
	 */
	final LeaseRenewer renewer() {
		return this.context.renewer();
	}

	public final Duration duration() {
		return this.duration;
	}

	final long renewedAt() {
		return this.renewedAt;
	}

	final boolean isRenewed() {
		return this.renewed;
	}

	/**
	 * Records that the store cannot renew this lease.
	 */
	final void markNotRenewable() {
		this.renewable = false;
		logger.trace("The store cannot renew " + this);
	}

	/**
	 * Returns whether the store can renew this lease, as far as it has replied.
	 */
	final boolean isRenewable() {
		return this.renewable;
	}

	/**
	 * Returns the local deadline, by the monotonic clock.
	 */
	long deadline() {
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
		if (isPastDeadline(now)) {
			lose(LeaseLossCause.UNREACHABLE);
		}
	}

	/**
	 * Records a confirmed renewal.
	 * @param sentAt the time at which the renewal was sent
	 */
	public final synchronized void confirm(long sentAt) {
		this.renewedAt = Math.max(this.renewedAt, sentAt);
		this.renewed = true;
	}

	/**
	 * Ends the renewal of the lease and {@linkplain #markLost marks it as lost}.
	 */
	final void lose(LeaseLossCause cause) {
		this.context.heartbeat().remove(this);
		markLost(cause);
	}

	/**
	 * Marks the lease as lost, unless it was lost or released before, and runs its loss
	 * actions. It is still renewed.
	 */
	final void markLost(LeaseLossCause cause) {
		List<Runnable> actions;
		synchronized (this) {
			if (this.released || this.lossCause != null) {
				return;
			}
			this.lossCause = cause;
			actions = this.lossActions;
			this.lossActions = List.of();
		}
		// The holder is notified first, because many leases may be lost together.
		notifyLoss(cause, actions);
		logger.warn("Lost the lease of job " + this.key + " (" + cause
				+ "). Its holder in this process is notified, and another process may take the key. Check for pauses"
				+ " of this process, an outage of Redis or a release by force");
	}

	@Override
	public final void onLost(Runnable action) {
		synchronized (this) {
			if (this.lossCause == null) {
				if (this.released) {
					return;
				}
				List<Runnable> actions = new ArrayList<>(this.lossActions);
				actions.add(action);
				this.lossActions = actions;
				return;
			}
		}
		this.context.losses().run(List.of(safe(action)));
	}

	private Runnable safe(Runnable action) {
		return (action instanceof LossInterrupt) ? (LossInterrupt) () -> runSafely(action) : () -> runSafely(action);
	}

	private void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			// A failure of any type must affect neither other callbacks nor listeners.
			logger.warn(
					"Lease-loss callback of job " + this.key + " failed. Other callbacks still run. Fix the callback",
					MaskedFailureException.of(ex, this.masked));
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
				releaseInStoreLater();
			}
			else {
				release(actions);
			}
		}
		finally {
			this.context.closing().leaseEnds();
		}
	}

	private void release(List<Runnable> actions) {
		LeaseLossCause cause = releaseInStore();
		if (cause == null) {
			if (kind() != LeaseKind.RUN) {
				this.context.events()
					.publish(new LeaseReleased(this.key, this.fencingToken,
							Duration.ofNanos(this.context.nanoTime().getAsLong() - this.acquiredAt)));
			}
			return;
		}
		this.lossCause = cause;
		logger.warn("The lease of job " + this.key + " was lost before its body ended (" + cause
				+ "), so another run may have overlapped with it. Check for pauses of this process, an outage of Redis"
				+ " or a release by force");
		notifyLoss(cause, actions);
	}

	private void notifyLoss(LeaseLossCause cause, List<Runnable> actions) {
		this.context.losses().run(actions.stream().map(this::safe).toList());
		this.context.losses()
			.report(() -> this.context.events().publish(new LeaseLost(this.key, this.fencingToken, cause, kind())));
	}

	/**
	 * Returns whether the store can have let the key expire.
	 * @return whether the store can have let the key expire
	 */
	public final boolean isPastDeadline() {
		return isPastDeadline(this.context.nanoTime().getAsLong());
	}

	private boolean isPastDeadline(long now) {
		return now - deadline() >= 0;
	}

	@Override
	public String toString() {
		return "Lease of " + this.key + " (fencing token " + this.fencingToken + ")";
	}

	/**
	 * Context that all leases of a process share.
	 *
	 * @param heartbeat the heartbeat that renews them
	 * @param events the publisher of their ends
	 * @param losses the executors for their loss, apart from the heartbeat's threads
	 * @param nanoTime the monotonic clock
	 * @param closing the shutdown, which counts them
	 * @param renewer the renewer
	 */
	public record Context(LeaseHeartbeat heartbeat, JobEventPublisher events, LossExecutors losses,
			LongSupplier nanoTime, LeaseClosing closing, LeaseRenewer renewer) {
	}

}
