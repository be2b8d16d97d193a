package io.locket.schedule;

import java.time.Duration;

import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The part that this process takes in the election of a leader, from start to stop: one
 * daemon thread, which holds the leader's lease or waits for it. Stopping resigns, so
 * that another process leads at once. May be started again. Thread-safe.
 */
public final class LeaderElection implements SmartLifecycle, DisposableBean {

	/**
	 * Started after the workers and stopped before them: a successor leads while this
	 * process still drains.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 256;

	/**
	 * The name of the thread.
	 */
	static final String THREAD = "locket-leader";

	/**
	 * A wait that no process lives to see the end of.
	 */
	private static final Duration FOR_EVER = Duration.ofDays(36500);

	private static final Duration RETRY = Duration.ofSeconds(1);

	/**
	 * How long a stop waits for listeners at the most.
	 */
	private static final Duration TELL = Duration.ofSeconds(1);

	private static final Log logger = LogFactory.getLog(LeaderElection.class);

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderDuty duty;

	private final LeaderEvents events;

	private final Duration patience;

	private volatile @Nullable LeaderCandidate candidate;

	private @Nullable Thread thread;

	/**
	 * Create an election.
	 * @param leases keeps the leader's lease
	 * @param leadership the status, which it maintains
	 * @param ttl how long the leader's lease lasts without a heartbeat
	 * @param duty what this process does while it leads
	 * @param events is told when this process begins or ceases to lead
	 * @param commandTimeout how long a command of the store may take
	 */
	public LeaderElection(LeaseService leases, Leadership leadership, Duration ttl, LeaderDuty duty,
			LeaderEvents events, Duration commandTimeout) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = LeaseRequest.of(leadership.key()).lasting(ttl).waitingForRelease(FOR_EVER);
		this.duty = duty;
		this.events = events;
		this.patience = commandTimeout.plus(commandTimeout.dividedBy(4));
	}

	@Override
	public synchronized void start() {
		if (this.candidate != null) {
			return;
		}
		LeaderCandidate started = new LeaderCandidate(this.leases, this.leadership, this.request, this.duty,
				this.events.publisher(), RETRY, System::nanoTime);
		Thread runner = new Thread(started, THREAD);
		runner.setDaemon(true);
		this.candidate = started;
		this.thread = runner;
		runner.start();
	}

	/**
	 * Resign. What is being fired may end first, for a little longer than a command takes
	 * at the most, and is interrupted then. If the thread does not end even so, its lease
	 * is given back all the same. Waits a second at the most until listeners are told.
	 */
	@Override
	public synchronized void stop() {
		LeaderCandidate stopped = this.candidate;
		Thread runner = this.thread;
		if (stopped == null || runner == null) {
			return;
		}
		this.candidate = null;
		this.thread = null;
		stopped.stop();
		try {
			if (!ends(runner)) {
				runner.interrupt();
				if (!ends(runner)) {
					abandon(stopped, runner);
				}
			}
			if (!this.events.drain(TELL)) {
				logger.warn("A listener holds up the thread " + LeaderEvents.THREAD
						+ ": not every event of the leader was told before the application stopped. Let the listener work on"
						+ " a thread of its own");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean ends(Thread runner) throws InterruptedException {
		runner.join(Math.max(1, this.patience.toMillis()));
		return !runner.isAlive();
	}

	private void abandon(LeaderCandidate stopped, Thread runner) {
		IllegalStateException stack = new IllegalStateException("What " + runner.getName() + " does");
		stack.setStackTrace(runner.getStackTrace());
		boolean led = stopped.resign();
		logger.warn("The thread " + runner.getName() + " hangs, and does not end"
				+ (led ? ": its lease was given back without it, so that another process leads" : "")
				+ ". See below what holds it up", stack);
	}

	@Override
	public void destroy() {
		stop();
	}

	@Override
	public boolean isRunning() {
		return this.candidate != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
