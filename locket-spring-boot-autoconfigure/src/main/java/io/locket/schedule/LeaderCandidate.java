package io.locket.schedule;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.locket.LeaseRefusedException;
import io.locket.event.JobEventPublisher;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One who would lead: takes the leader's lease, or waits until it is free; does a
 * leader's duty until it loses the lease, and begins again, until it is stopped.
 */
final class LeaderCandidate implements Runnable {

	private static final Log logger = LogFactory.getLog(LeaderCandidate.class);

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderDuty duty;

	private final JobEventPublisher events;

	private final Duration retry;

	private final LongSupplier nanoTime;

	private final LeaderTroubles troubles;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final Semaphore wake = new Semaphore(0);

	/**
	 * The thread, while an interrupt may reach it.
	 */
	private @Nullable Thread waiting;

	/**
	 * The lease that is to be given back.
	 */
	private @Nullable Lease lease;

	/**
	 * Create a candidate.
	 * @param leases keeps the leader's lease
	 * @param leadership the status
	 * @param request asks for the lease
	 * @param duty what is to be done in a term
	 * @param events is told of the begin and the end of a term
	 * @param retry after how long to ask again if the store gave no answer
	 * @param nanoTime the monotonic clock
	 */
	LeaderCandidate(LeaseService leases, Leadership leadership, LeaseRequest request, LeaderDuty duty,
			JobEventPublisher events, Duration retry, LongSupplier nanoTime) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = request;
		this.duty = duty;
		this.events = events;
		this.retry = retry;
		this.nanoTime = nanoTime;
		this.troubles = new LeaderTroubles(nanoTime);
	}

	@Override
	public void run() {
		boolean goOn = true;
		while (goOn && !isStopped()) {
			goOn = stand();
		}
	}

	/**
	 * End the candidacy. A wait for the lease is interrupted. What is done in a term is
	 * not, since it may just fire: that ends by itself, and the lease is given back then.
	 */
	synchronized void stop() {
		this.stopped.countDown();
		this.wake.release();
		if (this.waiting != null) {
			this.waiting.interrupt();
		}
	}

	/**
	 * An interrupt that comes with a stop comes after it, so that one which is cleared
	 * here either belongs to a stop that is seen, or to nobody.
	 */
	private boolean isStopped() {
		boolean interrupted = Thread.interrupted();
		boolean stop = this.stopped.getCount() == 0;
		if (interrupted && !stop) {
			logger.debug("Somebody interrupted " + Thread.currentThread().getName() + ", which goes on");
		}
		return stop;
	}

	/**
	 * Ask once, wait, and lead if the lease was got.
	 * @return {@code false} if no lease can be had any more
	 */
	private boolean stand() {
		Lease got;
		try {
			got = ask();
		}
		catch (LeaseRefusedException ex) {
			logger.debug("No leader's lease is to be had any more", ex);
			return false;
		}
		catch (Throwable ex) {
			// A candidate that ends would leave the fleet without one, and nobody would
			// know.
			if (this.stopped.getCount() > 0) {
				this.troubles.noAnswer(ex);
			}
			long millis = this.retry.toMillis();
			// The jitter spreads those who ask after an outage.
			pause(millis + ThreadLocalRandom.current().nextLong(millis / 4 + 1));
			return true;
		}
		if (got != null) {
			lead(got);
		}
		return true;
	}

	private @Nullable Lease ask() {
		interruptible(Thread.currentThread());
		try {
			boolean stop = this.stopped.getCount() == 0;
			if (!stop && this.leases.attempt(this.request) instanceof LeaseAttempt.Acquired acquired) {
				this.troubles.answered();
				return acquired.lease();
			}
			return null;
		}
		finally {
			interruptible(null);
		}
	}

	private synchronized void interruptible(@Nullable Thread thread) {
		this.waiting = thread;
	}

	private void pause(long millis) {
		try {
			this.stopped.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			logger.debug("Somebody else's interrupt: asking again sooner", ex);
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
			pause(this.troubles.unfit(term, begun, failure).toMillis());
		}
	}

	private synchronized void begin(Lease lease) {
		this.lease = lease;
		this.leadership.begin(lease);
	}

	private void serve(Lease lease) {
		this.wake.drainPermits();
		lease.onLost(this.wake::release);
		LeaderDuty.Term term = this.duty.begin(lease);
		while (!isStopped() && lease.isHeld()) {
			Duration rest = term.perform();
			try {
				this.wake.tryAcquire(rest.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				logger.debug("Somebody else's interrupt", ex);
			}
		}
	}

	/**
	 * Give the lease back, unless that was done. Called by whoever stops a candidate,
	 * too, if what it does does not end.
	 * @return whether there was a lease to give back
	 */
	boolean resign() {
		Lease ended = take();
		if (ended == null) {
			return false;
		}
		// An interrupt is not meant for the release.
		boolean interrupted = Thread.interrupted();
		this.leadership.end(ended);
		boolean resigned = giveBack(ended);
		long term = ended.fencingToken();
		logger.info((resigned ? "This process has resigned from leading: term " : "This process leads no longer: term ")
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

	private boolean giveBack(Lease lease) {
		try {
			lease.close();
		}
		catch (Throwable ex) {
			logger.warn(
					"Could not give the leader's lease back, which ends by itself; nobody leads until then. Look at Redis: "
							+ ex);
		}
		return lease.lossCause() == null;
	}

}
