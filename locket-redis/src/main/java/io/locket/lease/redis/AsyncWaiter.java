package io.locket.lease.redis;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.heartbeat.FallbackExecution;
import io.locket.lease.heartbeat.LeaseClosing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A single wait of {@link AsyncLeaseWait}. No method of its place in the local queue is
 * called inside the monitor, because the queue calls {@link #wake()}. Thread-safe.
 */
final class AsyncWaiter implements Runnable {

	private static final Log logger = LogFactory.getLog(AsyncWaiter.class);

	private static final long FOLLOWER_POLL_NANOS = TimeUnit.SECONDS.toNanos(5);

	/**
	 * Time after the end of a wait in which its last attempt may still start.
	 */
	private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final CompletableFuture<LeaseAttempt> result = new CompletableFuture<>();

	private final LeaseRequest request;

	private final LeaseWait.Acquire acquire;

	private final AttemptReports reports;

	private final Context context;

	private final long until;

	private LeaseWakeups.@Nullable Waiter place;

	private State state = State.QUEUED;

	private LeaseAttempt.Refused refused;

	private volatile long attemptedAt;

	private volatile long queuedAt;

	private @Nullable Future<?> alarm;

	private @Nullable Future<?> deadline;

	/**
	 * Creates a wait whose first attempt was refused.
	 * @param request the request, with the wait
	 * @param acquire the attempt, which may block for a command of the store
	 * @param reports receives the result before it is returned
	 * @param refused the first reply
	 * @param context the context
	 */
	AsyncWaiter(LeaseRequest request, LeaseWait.Acquire acquire, AttemptReports reports, LeaseAttempt.Refused refused,
			Context context) {
		this.request = request;
		this.acquire = acquire;
		this.reports = reports;
		this.refused = refused;
		this.context = context;
		long now = now();
		this.until = now + request.waitTime().toNanos();
		this.queuedAt = now;
	}

	CompletableFuture<LeaseAttempt> result() {
		return this.result;
	}

	private long now() {
		return this.context.nanoTime().getAsLong();
	}

	private long left() {
		return this.until - now();
	}

	private LeaseWakeups.Waiter place() {
		return Objects.requireNonNull(this.place, "'place' must not be null");
	}

	/**
	 * Joins the local queue.
	 */
	void join(String lock) {
		LeaseWakeups.Waiter joined = this.context.wakeups().join(lock, this::wake);
		synchronized (this) {
			this.place = joined;
		}
		this.result.whenComplete((attempt, failure) -> leave());
	}

	/**
	 * Begins the wait with an attempt, because the key may have been released before this
	 * joined the queue.
	 */
	void begin() {
		try {
			setDeadline();
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
		run();
	}

	private synchronized void setDeadline() {
		if (this.state != State.ENDED) {
			this.deadline = this.context.timer().schedule(this::expire, left() + GRACE_NANOS, TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Makes an attempt. Any failure ends the wait, because no caller would receive a
	 * lease of a later attempt.
	 */
	@Override
	public void run() {
		synchronized (this) {
			if (this.state != State.QUEUED) {
				return;
			}
			this.state = State.RUNNING;
		}
		try {
			attempt();
		}
		catch (LeaseUnavailableException ex) {
			failUnavailable(ex);
		}
		catch (RuntimeException | Error ex) {
			fail(ex);
		}
	}

	private void attempt() {
		place().consume();
		this.attemptedAt = now();
		LeaseAttempt attempt = this.acquire.attempt(place().hasOthers());
		place().served();
		if (attempt instanceof LeaseAttempt.Refused again && left() > 0) {
			rest(again);
		}
		else {
			end(attempt);
		}
	}

	private void rest(LeaseAttempt.Refused again) {
		synchronized (this) {
			if (this.state != State.RUNNING) {
				return;
			}
			this.refused = again;
			this.state = State.RESTING;
			setAlarm(LeaseWait.pause(again.remaining(), this.request.waitsForRelease()));
		}
		if (place().isWoken()) {
			wake();
		}
	}

	/**
	 * Schedules the next attempt. Must be called inside the monitor.
	 */
	private void setAlarm(long pause) {
		this.alarm = this.context.timer()
			.schedule(this::onAlarm, Math.max(0, Math.min(left(), pause)), TimeUnit.NANOSECONDS);
	}

	private void onAlarm() {
		boolean follows = left() > 0 && !place().isFirst() && now() - this.attemptedAt < FOLLOWER_POLL_NANOS;
		synchronized (this) {
			if (this.state == State.RESTING && follows) {
				setAlarm(LeaseWait.pause(null, false));
				return;
			}
		}
		wake();
	}

	private void wake() {
		synchronized (this) {
			if (this.state != State.RESTING) {
				return;
			}
			this.state = State.QUEUED;
			this.queuedAt = now();
			cancel(this.alarm);
		}
		try {
			this.context.retries().execute(this);
		}
		catch (RuntimeException | Error ex) {
			Throwable failure = (ex instanceof RejectedExecutionException) ? LeaseClosing.refusal(ex) : ex;
			// Not on this thread, which may be in the queue that the wait would leave.
			CompletableFuture.runAsync(() -> fail(failure));
		}
	}

	/**
	 * Ends the wait when its time is up while its last attempt waits for a thread, for
	 * instance because a hanging store blocks all threads.
	 */
	private void expire() {
		LeaseAttempt.Refused last;
		synchronized (this) {
			if (this.state == State.RUNNING || this.state == State.ENDED) {
				return;
			}
			this.state = State.ENDED;
			last = this.refused;
		}
		// Not on this thread: nothing may delay the timer, which also watches the
		// deadlines of leases.
		try {
			this.context.notifier().execute(() -> this.reports.publish(last));
		}
		finally {
			FallbackExecution.execute(this.result.defaultExecutor(), () -> this.result.complete(last));
		}
	}

	private void end(LeaseAttempt attempt) {
		this.reports.publish(attempt);
		if (!this.result.complete(attempt) && attempt instanceof LeaseAttempt.Acquired acquired) {
			logger.debug("A cancelled wait received its lease, which is released");
			acquired.lease().close();
		}
	}

	/**
	 * Ends the wait with a failure, unless it has ended.
	 */
	void fail(Throwable failure) {
		this.result.completeExceptionally(failure);
	}

	private void failUnavailable(LeaseUnavailableException failure) {
		this.reports.failed(failure);
		fail(failure);
	}

	/**
	 * Fails this wait if it was queued before a call was sent that then timed out. An
	 * attempt of its own would have timed out too.
	 */
	void failIfQueuedBefore(long sentAt, LeaseUnavailableException failure) {
		synchronized (this) {
			if (this.state != State.QUEUED || this.queuedAt - sentAt > 0) {
				return;
			}
			this.state = State.ENDED;
		}
		failUnavailable(failure);
	}

	/**
	 * Leaves the queue, which passes on an unused wake-up.
	 */
	private void leave() {
		synchronized (this) {
			this.state = State.ENDED;
			cancel(this.alarm);
			cancel(this.deadline);
		}
		place().close();
	}

	private static void cancel(@Nullable Future<?> task) {
		if (task != null) {
			task.cancel(false);
		}
	}

	/**
	 * State of a wait: an attempt is queued, an attempt runs, a wake-up or a timer is
	 * awaited, or the wait has ended.
	 */
	private enum State {

		QUEUED, RUNNING, RESTING, ENDED

	}

	/**
	 * Context that all waits of a process share.
	 *
	 * @param wakeups the wake-ups
	 * @param timer the scheduler of the next attempts, which is never blocked
	 * @param retries the executor of attempts
	 * @param notifier the executor of the event of a wait whose time is up
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	record Context(LeaseWakeups wakeups, ScheduledExecutorService timer, Executor retries, Executor notifier,
			LongSupplier nanoTime) {

	}

}
