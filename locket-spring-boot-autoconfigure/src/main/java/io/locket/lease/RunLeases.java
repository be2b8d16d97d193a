package io.locket.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import io.locket.JobKey;
import io.locket.event.JobEventPublisher;
import io.locket.event.LeaseAcquired;

import org.springframework.util.Assert;

/**
 * The leases of the queued runs of this process. They were taken by the store when it
 * handed the runs out; the heartbeat keeps them alive together with all others.
 * Thread-safe.
 */
public final class RunLeases implements AutoCloseable {

	private final LiveLease.Context context;

	private final RunReports reports;

	/**
	 * Create the leases of a process.
	 * @param renewer asks the store
	 * @param heartbeat keeps the leases alive
	 * @param threads the threads of the heartbeat, of which it becomes a user
	 * @param events is told of what happens
	 * @param nanoTime the monotonic clock, in nanoseconds
	 * @param onEnd is run once this is closed and the last lease has ended
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
		this.context = new LiveLease.Context(heartbeat, events, threads.notifier(), nanoTime, closing,
				(leases) -> renew(renewer, leases));
		this.reports = new RunReports(renewer, threads.reports(), nanoTime);
	}

	RunLeases(LiveLease.Context context, RunRenewer renewer, ScheduledExecutorService scheduler) {
		this.reports = new RunReports(renewer, scheduler, context.nanoTime());
		this.context = new LiveLease.Context(context.heartbeat(), context.events(), context.notifier(),
				context.nanoTime(), context.closing(), (leases) -> renew(renewer, leases));
	}

	private static List<LeaseRenewer.Renewal> renew(RunRenewer renewer, List<LiveLease> leases) {
		List<RunLease> runs = leases.stream().map(RunLease.class::cast).toList();
		List<RunRenewer.Answer> answers = renewer.renew(runs);
		Assert.state(answers.size() == runs.size(), "The store answered for other runs than it was asked for");
		LeaseRenewer.Renewal[] renewals = new LeaseRenewer.Renewal[runs.size()];
		for (int i = 0; i < renewals.length; i++) {
			renewals[i] = runs.get(i).answered(answers.get(i));
		}
		return List.of(renewals);
	}

	/**
	 * Keep the lease of a run alive from now on, until it is closed.
	 * @param grant the run
	 * @return its lease, or empty if its local deadline has passed: its body must not
	 * start
	 */
	public Optional<RunLease> begin(Grant grant) {
		RunLease lease = new RunLease(grant.run(), grant.token(), grant.key(), grant.duration(), grant.since(),
				grant.fence(), grant.sentAt(), this.context, this.reports);
		if (lease.isPastDeadline()) {
			return Optional.empty();
		}
		this.context.closing().stay();
		this.context.heartbeat().add(lease);
		this.context.events().publish(new LeaseAcquired(grant.key(), grant.fence(), false));
		return Optional.of(lease);
	}

	/**
	 * Let the heartbeat's threads end, as far as runs are concerned, when the last lease
	 * has ended.
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
	 * @param fence the fencing token
	 * @param since when the run was handed out, by the clock of the store
	 * @param duration how long its leases last without a renewal
	 * @param sentAt when the call that took them was first sent, by the monotonic clock
	 */
	public record Grant(String run, String token, JobKey key, long fence, Instant since, Duration duration,
			long sentAt) {

	}

}
