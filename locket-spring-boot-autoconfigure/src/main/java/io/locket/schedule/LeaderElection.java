package io.locket.schedule;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.locket.event.JobEventPublisher;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
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
	 * A wait that no process lives to see the end of.
	 */
	private static final Duration FOR_EVER = Duration.ofDays(36500);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private static final long STOP_SECONDS = 5;

	private final LeaseService leases;

	private final Leadership leadership;

	private final LeaseRequest request;

	private final LeaderDuty duty;

	private final JobEventPublisher events;

	private volatile @Nullable LeaderCandidate candidate;

	private @Nullable Thread thread;

	/**
	 * Create an election.
	 * @param leases keeps the leader's lease
	 * @param leadership the status, which it maintains
	 * @param ttl how long the leader's lease lasts without a heartbeat
	 * @param duty what this process does while it leads
	 * @param events is told when this process begins or ceases to lead
	 */
	public LeaderElection(LeaseService leases, Leadership leadership, Duration ttl, LeaderDuty duty,
			JobEventPublisher events) {
		this.leases = leases;
		this.leadership = leadership;
		this.request = LeaseRequest.of(leadership.key()).lasting(ttl).waitingForRelease(FOR_EVER);
		this.duty = duty;
		this.events = events;
	}

	@Override
	public synchronized void start() {
		if (this.candidate != null) {
			return;
		}
		LeaderCandidate started = new LeaderCandidate(this.leases, this.leadership, this.request, this.duty,
				this.events, RETRY);
		Thread runner = new Thread(started, "locket-leader");
		runner.setDaemon(true);
		this.candidate = started;
		this.thread = runner;
		runner.start();
	}

	/**
	 * Resign, and wait for that for some seconds at the most.
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
		runner.interrupt();
		try {
			runner.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
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
