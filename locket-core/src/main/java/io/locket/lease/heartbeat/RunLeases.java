package io.locket.lease.heartbeat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.event.LeaseAcquired;
import io.locket.event.publish.JobEventPublisher;

import org.springframework.util.Assert;

/**
 * Leases of the queued runs of this process. The store took them when it handed out the
 * runs. The heartbeat renews them together with all others. Thread-safe.
 */
public final class RunLeases implements AutoCloseable {

	private final LiveLease.Context context;

	private final RunReports reports;

	/**
	 * Creates the leases of a process.
	 * @param renewer the renewer, which calls the store
	 * @param heartbeat the heartbeat that renews the leases
	 * @param threads the threads of the heartbeat, of which it becomes a user
	 * @param events the publisher of the events
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param onEnd the action after this is closed and the last lease has ended
	 */
	public RunLeases(RunRenewer renewer, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events,
			LongSupplier nanoTime, Runnable onEnd) {
		Assert.notNull(renewer, "'renewer' must not be null");
		Assert.notNull(onEnd, "'onEnd' must not be null");
		threads.retain();
		LeaseClosing closing = new LeaseClosing(() -> {
			threads.release();
			onEnd.run();
		});
		this.context = new LiveLease.Context(heartbeat, events, threads.losses(), nanoTime, closing,
				(leases) -> renew(renewer, leases));
		this.reports = new RunReports(renewer, threads.reports(), nanoTime);
	}

	RunLeases(LiveLease.Context context, RunRenewer renewer, ScheduledExecutorService scheduler) {
		this.reports = new RunReports(renewer, scheduler, context.nanoTime());
		this.context = new LiveLease.Context(context.heartbeat(), context.events(), context.losses(),
				context.nanoTime(), context.closing(), (leases) -> renew(renewer, leases));
	}

	private static List<LeaseRenewer.Renewal> renew(RunRenewer renewer, List<LiveLease> leases) {
		List<RunLease> runs = leases.stream().map(RunLease.class::cast).toList();
		List<RunRenewer.Result> results = renewer.renew(runs);
		Assert.state(results.size() == runs.size(), "The number of replies differs from the number of renewed runs");
		LeaseRenewer.Renewal[] renewals = new LeaseRenewer.Renewal[runs.size()];
		for (int i = 0; i < renewals.length; i++) {
			renewals[i] = runs.get(i).apply(results.get(i));
		}
		return List.of(renewals);
	}

	/**
	 * Renews the lease of a run from now on, until it is closed.
	 * @param grant the run
	 * @return its lease, or empty if its local deadline has passed, so that its body must
	 * not start
	 */
	public Optional<RunLease> begin(Grant grant) {
		RunLease lease = new RunLease(grant, this.context, this.reports);
		if (lease.isPastDeadline()) {
			return Optional.empty();
		}
		this.context.closing().leaseBegins();
		try {
			this.context.heartbeat().add(lease);
		}
		catch (RuntimeException | Error ex) {
			this.context.closing().leaseEnds();
			throw ex;
		}
		if (grant.keyLeased()) {
			this.context.events().publish(new LeaseAcquired(grant.key(), grant.fence(), false));
		}
		return Optional.of(lease);
	}

	/**
	 * Releases the heartbeat's threads after the last lease has ended.
	 */
	@Override
	public void close() {
		this.context.closing().close();
	}

	/**
	 * A run that the store handed out, with its leases.
	 *
	 * @param run the id of the job
	 * @param token the token of the run
	 * @param key the key of the run
	 * @param fence the fencing token, or {@code 0} without a key lease
	 * @param keyLeased whether the run holds a lease of its key
	 * @param since the time at which the run was handed out, by the clock of the store
	 * @param duration the duration of its leases without a renewal
	 * @param sentAt the time at which the call that took them was first sent, by the
	 * monotonic clock
	 * @param masked whether the job masks its arguments
	 */
	public record Grant(String run, String token, JobKey key, long fence, boolean keyLeased, Instant since,
			Duration duration, long sentAt, boolean masked) {

	}

}
