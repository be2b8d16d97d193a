package io.locket.test;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.locket.JobContext;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.key.JobKeys;
import io.locket.lease.HeldLease;
import io.locket.lease.Lease;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LossInterrupt;
import io.locket.lease.heartbeat.RunLease;
import io.locket.lease.memory.InMemoryLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.JobRecord;
import io.locket.queue.memory.InMemoryQueueDriver;

/**
 * Leases of another process, and the loss of leases, in a test. Thread-safe.
 */
public final class TestLeases {

	private static final String OTHER = "another-process/1/test";

	private final InMemoryLeaseService own;

	private final InMemoryLeaseService other;

	/**
	 * Creates the leases.
	 * @param own the leases of this process
	 * @param space the lock space
	 * @param settings the settings of leases
	 * @param keys creates keys
	 */
	public TestLeases(InMemoryLeaseService own, LockSpace space, LeaseSettings settings, JobKeys keys) {
		this.own = own;
		this.other = new InMemoryLeaseService(space,
				new LeaseSettings(settings.duration(), settings.commandTimeout(), OTHER, settings.mask(), 0), keys,
				new JobEventPublisher(List.of()), System::nanoTime);
	}

	Lease occupy(UniqueJobDefinition job, JobKey key) {
		boolean period = job.lock() == LockStrategy.UNTIL_EXPIRED;
		if (!period && !job.lock().guardsDirectCalls()) {
			throw new IllegalArgumentException(
					"No run of job '" + job.name() + "' holds its key. Its lock strategy is " + job.lock());
		}
		LeaseAttempt attempt = period ? this.other.claim(key, Objects.requireNonNull(job.uniqueFor()))
				: this.other.attempt(LeaseRequest.of(key));
		if (attempt instanceof LeaseAttempt.Acquired acquired) {
			return acquired.lease();
		}
		throw new IllegalStateException("The key of " + key + " is held by " + ((LeaseAttempt.Refused) attempt).holder()
				+ ". Close its lease or let its run end before, and advance the clock beyond a minimum hold or"
				+ " a period");
	}

	void loseCurrent(InMemoryQueueDriver driver, Collection<RunLease> running) {
		JobContext context = JobContext.required();
		boolean lost = context.queuedRun()
			.map((run) -> loseRun(run.id(), driver, running))
			.orElseGet(() -> loseCall(context));
		if (!lost) {
			throw new IllegalStateException("The body of job " + context.key() + " holds no lease that it can lose."
					+ " It has lost it before, its job has no key, or it holds a claim");
		}
	}

	private static boolean loseRun(String id, InMemoryQueueDriver driver, Collection<RunLease> running) {
		Optional<RunLease> held = running.stream()
			.filter((lease) -> lease.run().equals(id) && lease.lossCause() == null)
			.findFirst();
		held.ifPresent((lease) -> lose(lease, driver));
		return held.isPresent();
	}

	/**
	 * Revokes the lease of a direct call. A claim is never lost.
	 */
	private boolean loseCall(JobContext context) {
		return this.own.find(context.key())
			.filter((lease) -> lease.holder().fencingToken() == context.fencingToken())
			.flatMap((lease) -> this.own.forceRelease(lease.digest()))
			.isPresent();
	}

	void lose(String job, InMemoryQueueDriver driver, Collection<RunLease> running, Predicate<JobRecord> run,
			Predicate<String> digest) {
		List<String> ids = driver.jobs()
			.stream()
			.filter((record) -> record.job().equals(job) && run.test(record))
			.map(JobRecord::id)
			.toList();
		List<RunLease> runs = running.stream()
			.filter((lease) -> ids.contains(lease.run()) && lease.lossCause() == null)
			.toList();
		runs.forEach((lease) -> lose(lease, driver));
		List<HeldLease> held = this.own.owned()
			.stream()
			.filter((lease) -> job.equals(lease.job()) && digest.test(lease.digest())
					&& !lease.holder().instance().equals(OTHER))
			.toList();
		held.forEach((lease) -> this.own.forceRelease(lease.digest()));
		if (runs.isEmpty() && held.isEmpty()) {
			throw new IllegalStateException("No such body of job '" + job + "' runs and holds a lease. Held are "
					+ this.own.owned() + ", running are " + running);
		}
	}

	/**
	 * Revokes a lease and waits for its callbacks and for the interrupt of its body. Both
	 * run in order, so the last one of each signals that all have run.
	 */
	private static void lose(RunLease lease, InMemoryQueueDriver driver) {
		CountDownLatch notified = new CountDownLatch(2);
		lease.onLost(notified::countDown);
		lease.onLost((LossInterrupt) notified::countDown);
		driver.expire(lease.run());
		lease.renew();
		if (lease.lossCause() != null) {
			await(notified);
		}
	}

	/**
	 * Waits for the callbacks. The notified body may be the waiting one, so its interrupt
	 * is preserved.
	 */
	private static void await(CountDownLatch notified) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					if (!notified.await(10, TimeUnit.SECONDS)) {
						throw new IllegalStateException(
								"The loss of a lease was not notified within 10 s. Check whether"
										+ " a lease-loss callback blocks");
					}
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
