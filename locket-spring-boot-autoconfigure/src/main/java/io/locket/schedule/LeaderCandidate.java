package io.locket.schedule;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

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

/**
 * One who would lead: takes the leader's lease, or waits until it is free; does a
 * leader's duty until it loses the lease, and begins again, until it is stopped. Whoever
 * stops it interrupts its thread afterwards.
 */
final class LeaderCandidate implements Runnable {

	private static final Log logger = LogFactory.getLog(LeaderCandidate.class);

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderDuty duty;

	private final JobEventPublisher events;

	private final Duration retry;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private boolean unavailable;

	/**
	 * Create a candidate.
	 * @param leases keeps the leader's lease
	 * @param leadership the status
	 * @param request asks for the lease
	 * @param duty what is to be done in a term
	 * @param events is told of the begin and the end of a term
	 * @param retry after how long to ask again if the store gave no answer
	 */
	LeaderCandidate(LeaseService leases, Leadership leadership, LeaseRequest request, LeaderDuty duty,
			JobEventPublisher events, Duration retry) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = request;
		this.duty = duty;
		this.events = events;
		this.retry = retry;
	}

	@Override
	public void run() {
		boolean goOn = true;
		while (goOn && !isStopped()) {
			goOn = stand();
		}
	}

	void stop() {
		this.stopped.countDown();
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
		try {
			if (this.leases.attempt(this.request) instanceof LeaseAttempt.Acquired acquired) {
				this.unavailable = false;
				lead(acquired.lease());
			}
			return true;
		}
		catch (LeaseRefusedException ex) {
			logger.debug("No leader's lease is to be had any more", ex);
			return false;
		}
		catch (Throwable ex) {
			// A candidate that ends would leave the fleet without one, and nobody would
			// know.
			complain(ex);
			return pause();
		}
	}

	private void complain(Throwable ex) {
		if (this.unavailable || this.stopped.getCount() == 0) {
			logger.debug("Still no answer for the leader's lease", ex);
			return;
		}
		this.unavailable = true;
		logger.warn("Could not find out who leads; asking again until there is an answer. Schedules do not fire"
				+ " meanwhile, unless another process leads: " + ex);
	}

	/**
	 * The jitter spreads those who ask after an outage.
	 */
	private boolean pause() {
		long millis = this.retry.toMillis();
		try {
			this.stopped.await(millis + ThreadLocalRandom.current().nextLong(millis / 4 + 1), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			logger.debug("Stopped, or asking again sooner", ex);
		}
		return true;
	}

	private void lead(Lease lease) {
		long term = lease.fencingToken();
		this.leadership.begin(lease);
		try {
			logger.info("This process leads: term " + term);
			this.events.publish(new LeadershipGained(term));
			serve(lease);
		}
		finally {
			resign(lease, term);
		}
	}

	private void serve(Lease lease) {
		Semaphore lost = new Semaphore(0);
		lease.onLost(lost::release);
		LeaderDuty.Term term = this.duty.begin(lease);
		while (!isStopped() && lease.isHeld()) {
			Duration rest = term.perform();
			try {
				lost.tryAcquire(rest.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				logger.debug("Stopped, or somebody else's interrupt", ex);
			}
		}
	}

	/**
	 * The interrupt is not meant for the release.
	 */
	private void resign(Lease lease, long term) {
		boolean interrupted = Thread.interrupted();
		this.leadership.end();
		lease.close();
		boolean resigned = lease.lossCause() == null;
		logger.info((resigned ? "This process has resigned from leading: term " : "This process leads no longer: term ")
				+ term);
		this.events.publish(new LeadershipLost(term, resigned));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
