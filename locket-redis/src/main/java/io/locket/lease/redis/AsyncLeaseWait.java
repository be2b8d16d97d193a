package io.locket.lease.redis;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LeaseUnavailableException;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.heartbeat.LeaseClosing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous wait for keys that are held, without a thread per waiter. The first
 * attempt runs on the calling thread. Later attempts run on an executor, at the same
 * moments as those of {@link LeaseWait}. Of several waiters in this process, the first
 * one polls the key, and the others poll it only rarely.
 */
final class AsyncLeaseWait implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(AsyncLeaseWait.class);

	/**
	 * Duration after which a failed call is taken for a timeout.
	 */
	private static final long FAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long FOLLOWER_POLL_NANOS = TimeUnit.SECONDS.toNanos(5);

	/**
	 * Time after the end of a wait in which its last attempt may still start.
	 */
	private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

	private final LeaseWakeups wakeups;

	private final ScheduledExecutorService timer;

	private final Executor retries;

	private final Executor notifier;

	private final LongSupplier nanoTime;

	private volatile boolean closed;

	AsyncLeaseWait(LeaseWakeups wakeups, ScheduledExecutorService timer, Executor retries, Executor notifier,
			LongSupplier nanoTime) {
		this.notifier = notifier;
		this.wakeups = wakeups;
		this.timer = timer;
		this.retries = retries;
		this.nanoTime = nanoTime;
	}

	/**
	 * Makes attempts until the reply is no refusal or the time is up.
	 * @param lock the name of the lock
	 * @param request the request, with the wait
	 * @param question the attempt, which may block for a command of the store
	 * @param reports receives each result before it is returned
	 * @return the future reply; its cancellation ends the wait
	 */
	CompletableFuture<LeaseAttempt> await(String lock, LeaseRequest request, LeaseWait.Question question,
			AttemptReports reports) {
		try {
			LeaseAttempt first = question.ask(false);
			if (!(first instanceof LeaseAttempt.Refused refused) || request.waitTime().isZero()) {
				reports.answered(first);
				return CompletableFuture.completedFuture(first);
			}
			Waiting added = new Waiting(request, question, reports, refused);
			added.begin(lock);
			return added.result;
		}
		catch (LeaseUnavailableException ex) {
			reports.failed(ex);
			return CompletableFuture.failedFuture(ex);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Ends all waits, because their attempts can no longer be repeated.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.waiting.forEach((each) -> each.result.completeExceptionally(LeaseClosing.refusal(null)));
	}

	/**
	 * State of a wait: an attempt is queued, an attempt runs, a wake-up or a timer is
	 * awaited, or the wait has ended.
	 */
	private enum State {

		QUEUED, RUNNING, RESTING, ENDED

	}

	/**
	 * A single wait. No method of the waiter that touches the local queue is called
	 * inside the monitor, because the queue calls {@link #wake()}.
	 */
	private final class Waiting implements Runnable {

		private final CompletableFuture<LeaseAttempt> result = new CompletableFuture<>();

		private final LeaseRequest request;

		private final LeaseWait.Question question;

		private final AttemptReports reports;

		private final long until;

		private LeaseWakeups.@Nullable Waiter waiter;

		private State state = State.QUEUED;

		private LeaseAttempt.Refused refused;

		private volatile long askedAt;

		private volatile long queuedAt;

		private @Nullable Future<?> alarm;

		private @Nullable Future<?> deadline;

		Waiting(LeaseRequest request, LeaseWait.Question question, AttemptReports reports,
				LeaseAttempt.Refused refused) {
			this.request = request;
			this.question = question;
			this.reports = reports;
			this.refused = refused;
			long now = AsyncLeaseWait.this.nanoTime.getAsLong();
			this.until = now + request.waitTime().toNanos();
			this.queuedAt = now;
		}

		private long left() {
			return this.until - AsyncLeaseWait.this.nanoTime.getAsLong();
		}

		/**
		 * Joins the queue and tries again, because the key may have been released in
		 * between.
		 */
		void begin(String lock) {
			LeaseWakeups.Waiter joined = AsyncLeaseWait.this.wakeups.join(lock, this::wake);
			try {
				synchronized (this) {
					this.waiter = joined;
					this.deadline = AsyncLeaseWait.this.timer.schedule(this::expire, left() + GRACE_NANOS,
							TimeUnit.NANOSECONDS);
				}
			}
			catch (RuntimeException | Error ex) {
				joined.close();
				throw ex;
			}
			AsyncLeaseWait.this.waiting.add(this);
			this.result.whenComplete((attempt, failure) -> leave());
			if (AsyncLeaseWait.this.closed) {
				this.result.completeExceptionally(LeaseClosing.refusal(null));
			}
			run();
		}

		@Override
		public void run() {
			synchronized (this) {
				if (this.state != State.QUEUED) {
					return;
				}
				this.state = State.RUNNING;
			}
			waiter().consume();
			this.askedAt = AsyncLeaseWait.this.nanoTime.getAsLong();
			LeaseAttempt attempt;
			try {
				attempt = this.question.ask(waiter().hasOthers());
			}
			catch (LeaseUnavailableException ex) {
				fail(ex);
				if (AsyncLeaseWait.this.nanoTime.getAsLong() - this.askedAt > FAST_NANOS) {
					AsyncLeaseWait.this.waiting.forEach((other) -> other.failIfQueuedBefore(this.askedAt, ex));
				}
				return;
			}
			catch (RuntimeException | Error ex) {
				this.result.completeExceptionally(ex);
				return;
			}
			if (attempt instanceof LeaseAttempt.Refused again && left() > 0) {
				rest(again);
			}
			else {
				end(attempt);
			}
		}

		private LeaseWakeups.Waiter waiter() {
			return Objects.requireNonNull(this.waiter, "'waiter' must not be null");
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
			if (waiter().isWoken()) {
				wake();
			}
		}

		/**
		 * Schedules the next attempt. Must be called inside the monitor.
		 */
		private void setAlarm(long pause) {
			this.alarm = AsyncLeaseWait.this.timer.schedule(this::onAlarm, Math.max(0, Math.min(left(), pause)),
					TimeUnit.NANOSECONDS);
		}

		private void onAlarm() {
			boolean follows = left() > 0 && !waiter().isFirst()
					&& AsyncLeaseWait.this.nanoTime.getAsLong() - this.askedAt < FOLLOWER_POLL_NANOS;
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
				this.queuedAt = AsyncLeaseWait.this.nanoTime.getAsLong();
				cancel(this.alarm);
			}
			try {
				AsyncLeaseWait.this.retries.execute(this);
			}
			catch (RejectedExecutionException ex) {
				// Not on this thread, which may be in the queue that the wait would
				// leave.
				CompletableFuture.runAsync(() -> this.result.completeExceptionally(LeaseClosing.refusal(ex)));
			}
		}

		/**
		 * Ends the wait when its time is up while its last attempt waits for a thread,
		 * for instance because a hanging store blocks all threads.
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
				AsyncLeaseWait.this.notifier.execute(() -> this.reports.answered(last));
			}
			finally {
				this.result.completeAsync(() -> last);
			}
		}

		private void end(LeaseAttempt attempt) {
			this.reports.answered(attempt);
			if (!this.result.complete(attempt) && attempt instanceof LeaseAttempt.Acquired acquired) {
				logger.debug("A cancelled wait received its lease, which is released");
				acquired.lease().close();
			}
		}

		private void fail(LeaseUnavailableException failure) {
			this.reports.failed(failure);
			this.result.completeExceptionally(failure);
		}

		/**
		 * Fails this wait if it was queued before a call was sent that then timed out. An
		 * attempt of its own would have timed out too.
		 */
		private void failIfQueuedBefore(long sentAt, LeaseUnavailableException failure) {
			synchronized (this) {
				if (this.state != State.QUEUED || this.queuedAt - sentAt > 0) {
					return;
				}
				this.state = State.ENDED;
			}
			fail(failure);
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
			AsyncLeaseWait.this.waiting.remove(this);
			waiter().close();
		}

		private static void cancel(@Nullable Future<?> task) {
			if (task != null) {
				task.cancel(false);
			}
		}

	}

}
