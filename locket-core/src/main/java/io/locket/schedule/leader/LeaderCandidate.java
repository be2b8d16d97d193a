package io.locket.schedule.leader;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LeaseHolder;
import io.locket.LeaseRefusedException;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.event.publish.JobEventPublisher;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.lease.heartbeat.LossInterrupt;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Candidate for leadership. It takes the leader's lease, or waits until it is free,
 * performs the leader's task until the lease is lost, and begins again, until it is
 * stopped.
 */
final class LeaderCandidate implements Runnable {

	private static final Log logger = LogFactory.getLog(LeaderCandidate.class);

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderTask task;

	private final ElectionEntry entry;

	private final JobEventPublisher events;

	private final Duration retry;

	private final LongSupplier nanoTime;

	private final LeaderFailures failures;

	private final TaskWatch watch;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final Semaphore wake = new Semaphore(0);

	/**
	 * The thread, while it may be interrupted.
	 */
	private @Nullable Thread waiting;

	/**
	 * Whether it was logged, since this process last led, that another one leads.
	 */
	private boolean following;

	/**
	 * The lease to release.
	 */
	private @Nullable Lease lease;

	/**
	 * Creates a candidate.
	 * @param leases the lease service of the leader's lease
	 * @param leadership the status
	 * @param request the request for the lease
	 * @param task the task of a leader
	 * @param entry the gate through which this process enters the election
	 * @param events the publisher of the begin and the end of terms
	 * @param retry the time until a request without a reply is repeated
	 * @param nanoTime the monotonic clock
	 */
	LeaderCandidate(LeaseService leases, Leadership leadership, LeaseRequest request, LeaderTask task,
			ElectionEntry entry, JobEventPublisher events, Duration retry, LongSupplier nanoTime) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = request;
		this.task = task;
		this.entry = entry;
		this.events = events;
		this.retry = retry;
		this.nanoTime = nanoTime;
		this.failures = new LeaderFailures(nanoTime);
		this.watch = new TaskWatch(nanoTime);
	}

	@Override
	public void run() {
		this.entry.await();
		boolean goOn = true;
		while (goOn && !isStopped()) {
			goOn = stand();
		}
	}

	/**
	 * Ends the candidacy. A wait for the lease is interrupted. The work of a term is not,
	 * because it may be firing: it ends on its own, and then the lease is released.
	 */
	synchronized void stop() {
		this.stopped.countDown();
		this.entry.open();
		this.wake.release();
		if (this.waiting != null) {
			this.waiting.interrupt();
		}
	}

	/**
	 * Enters the election.
	 */
	void enter() {
		this.entry.open();
	}

	boolean takesPart() {
		return this.entry.isOpen();
	}

	/**
	 * Returns the watch over the leader's task.
	 */
	TaskWatch watch() {
		return this.watch;
	}

	/**
	 * Returns whether this was stopped, and clears the interrupt flag. An interrupt
	 * follows its stop. So a cleared interrupt belongs either to a visible stop or to
	 * other code.
	 */
	private boolean isStopped() {
		boolean interrupted = Thread.interrupted();
		boolean stop = this.stopped.getCount() == 0;
		if (interrupted && !stop) {
			logger.debug(Thread.currentThread().getName() + " was interrupted by other code and continues");
		}
		return stop;
	}

	/**
	 * Requests the lease once, waits for it, and leads if it was acquired.
	 * @return {@code false} if no lease can be acquired any more
	 */
	private boolean stand() {
		Lease got;
		try {
			got = acquire();
		}
		catch (LeaseRefusedException ex) {
			logger.debug("No leader's lease can be acquired any more", ex);
			return false;
		}
		catch (Throwable ex) {
			// Without this candidate, the fleet could be left without any, and without a
			// notice.
			if (this.stopped.getCount() > 0) {
				this.failures.requestFailed(ex);
			}
			long millis = this.retry.toMillis();
			// The jitter spreads the requests after an outage.
			pause(millis + ThreadLocalRandom.current().nextLong(millis / 4 + 1));
			return true;
		}
		if (got != null) {
			lead(got);
		}
		return true;
	}

	private @Nullable Lease acquire() {
		interruptible(Thread.currentThread());
		try {
			Lease got = this.following ? null : attempt(this.request.waiting(Duration.ZERO));
			return (got != null) ? got : attempt(this.request);
		}
		finally {
			interruptible(null);
		}
	}

	private @Nullable Lease attempt(LeaseRequest requested) {
		if (this.stopped.getCount() == 0) {
			return null;
		}
		LeaseAttempt attempt = this.leases.attempt(requested);
		this.failures.succeeded();
		if (attempt instanceof LeaseAttempt.Acquired acquired) {
			this.following = false;
			return acquired.lease();
		}
		if (attempt instanceof LeaseAttempt.Refused refused && !this.following) {
			this.following = true;
			logger.info("This process follows: " + describe(refused.holder()));
		}
		return null;
	}

	private static String describe(@Nullable LeaseHolder leader) {
		return (leader != null) ? "instance '" + leader.instance() + "' leads in term " + leader.fencingToken()
				: "another process leads";
	}

	private synchronized void interruptible(@Nullable Thread thread) {
		this.waiting = thread;
	}

	private void pause(long millis) {
		try {
			this.stopped.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			logger.debug("Interrupted by other code; the request is repeated sooner", ex);
		}
	}

	private void lead(Lease lease) {
		long term = lease.fencingToken();
		long begun = this.nanoTime.getAsLong();
		begin(lease);
		Throwable failure = null;
		try {
			logger.info("This process leads: term " + term);
			this.events.publish(new LeadershipGained(term));
			serve(lease);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		resign();
		if (failure != null) {
			pause(this.failures.unfit(term, begun, failure).toMillis());
		}
	}

	private synchronized void begin(Lease lease) {
		this.lease = lease;
		this.leadership.begin(lease);
	}

	private void serve(Lease lease) {
		this.wake.drainPermits();
		lease.onLost((LossInterrupt) this.wake::release);
		LeaderTask.Term term = this.watch.over(() -> this.task.begin(lease));
		while (!isStopped() && lease.isHeld()) {
			Duration rest = this.watch.over(term::perform);
			try {
				this.wake.tryAcquire(rest.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				logger.debug("Interrupted by other code", ex);
			}
		}
	}

	/**
	 * Releases the lease, unless that was done. Also called by the stopping thread if the
	 * thread of the candidate does not end.
	 * @return whether there was a lease to release
	 */
	boolean resign() {
		Lease ended = take();
		if (ended == null) {
			return false;
		}
		// An interrupt must not prevent the release.
		boolean interrupted = Thread.interrupted();
		this.leadership.end(ended);
		boolean resigned = release(ended);
		long term = ended.fencingToken();
		logger.info((resigned ? "This process has resigned as leader: term " : "This process leads no longer: term ")
				+ term);
		this.events.publish(new LeadershipLost(term, resigned));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return true;
	}

	private synchronized @Nullable Lease take() {
		Lease taken = this.lease;
		this.lease = null;
		return taken;
	}

	private boolean release(Lease lease) {
		try {
			lease.close();
		}
		catch (Throwable ex) {
			logger.warn(
					"Could not release the leader's lease. It expires on its own; no process leads until then. Check Redis: "
							+ ex);
		}
		return lease.lossCause() == null;
	}

}
