package io.locket.schedule.leader;

import java.time.Duration;

import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Participation of this process in the election of a leader, from start to stop. One
 * daemon thread holds the leader's lease or waits for it. The process takes part once
 * there is something to lead for. A process with a task of its own stays alive until it
 * is stopped. A stop resigns, so that another process leads at once. It may be started
 * again. Thread-safe.
 */
public final class LeaderElection implements SmartLifecycle, DisposableBean {

	/**
	 * Phase after the start and before the stop of the workers, so that a successor leads
	 * while this process still drains.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 256;

	/**
	 * The name of the thread.
	 */
	public static final String THREAD = "locket-leader";

	/**
	 * Wait that no process outlives.
	 */
	private static final Duration FOR_EVER = Duration.ofDays(36500);

	private static final Duration RETRY = Duration.ofSeconds(1);

	/**
	 * Maximum time that a stop waits for listeners.
	 */
	private static final Duration DRAIN = Duration.ofSeconds(1);

	private static final Log logger = LogFactory.getLog(LeaderElection.class);

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderTask task;

	private final LeaderEvents events;

	private final Duration ttl;

	private final Duration patience;

	private final KeepAlive keepAlive = new KeepAlive();

	/**
	 * Whether a schedule was put by this process, which then takes part from its next
	 * start on, too.
	 */
	private volatile boolean entered;

	private volatile @Nullable LeaderCandidate candidate;

	private @Nullable Thread thread;

	/**
	 * Creates an election.
	 * @param leases the lease service of the leader's lease
	 * @param leadership the status, which it maintains
	 * @param ttl the duration of the leader's lease without a heartbeat
	 * @param task the task of the leader
	 * @param events the events of the leader
	 * @param commandTimeout the maximum time of a command of the store
	 */
	public LeaderElection(LeaseService leases, Leadership leadership, Duration ttl, LeaderTask task,
			LeaderEvents events, Duration commandTimeout) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = LeaseRequest.of(leadership.key()).lasting(ttl).waitingForRelease(FOR_EVER);
		this.task = task;
		this.events = events;
		this.ttl = ttl;
		this.patience = commandTimeout.plus(commandTimeout.dividedBy(4));
	}

	@Override
	public synchronized void start() {
		if (this.candidate != null) {
			return;
		}
		ElectionEntry entry = new ElectionEntry(this.task, this.ttl, RETRY);
		LeaderCandidate started = new LeaderCandidate(this.leases, this.leadership, this.request, this.task, entry,
				this.events.publisher(), RETRY, System::nanoTime);
		if (this.entered) {
			entry.open();
		}
		if (entry.isOpen()) {
			this.keepAlive.start();
		}
		Thread runner = new Thread(started, THREAD);
		runner.setDaemon(true);
		this.candidate = started;
		this.thread = runner;
		runner.start();
	}

	/**
	 * Resigns. A firing in progress may end first, for a little longer than a command
	 * takes at most, and is then interrupted. If the thread still does not end, its lease
	 * is released by this thread. Waits at most a second until listeners are notified.
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
			if (!this.events.drain(DRAIN)) {
				logger.warn("A listener blocks the thread " + LeaderEvents.THREAD
						+ ": not every event of the leader was published before the application stopped. Let the listener"
						+ " work on its own thread");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.keepAlive.stop();
		}
	}

	/**
	 * Enters the election and keeps this process alive until it is stopped, because it
	 * now has a task of its own.
	 */
	public synchronized void enter() {
		this.entered = true;
		LeaderCandidate current = this.candidate;
		if (current != null) {
			current.enter();
			this.keepAlive.start();
		}
	}

	/**
	 * Returns whether this process does not take part, because it has found nothing to
	 * lead for.
	 * @return {@code false} if it leads, takes part, or was stopped
	 */
	public boolean isIdle() {
		LeaderCandidate current = this.candidate;
		return current != null && !current.takesPart();
	}

	/**
	 * Returns for how long the leader's task has not returned. A step of it takes a few
	 * commands, and calls key generators and guards of the application.
	 * @return the time since its current step began, or zero if none runs
	 */
	public Duration taskTime() {
		LeaderCandidate current = this.candidate;
		return (current != null) ? current.watch().elapsed() : Duration.ZERO;
	}

	private boolean ends(Thread runner) throws InterruptedException {
		runner.join(Math.max(1, this.patience.toMillis()));
		return !runner.isAlive();
	}

	private void abandon(LeaderCandidate stopped, Thread runner) {
		IllegalStateException stack = new IllegalStateException("Stack of thread " + runner.getName());
		stack.setStackTrace(runner.getStackTrace());
		boolean led = stopped.resign();
		logger.warn("The thread " + runner.getName() + " hangs and does not end"
				+ (led ? ": its lease was released without it, so that another process leads" : "")
				+ ". The stack trace shows where it is blocked", stack);
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
