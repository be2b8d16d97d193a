package io.locket.aop;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.event.CallRefused;
import io.locket.event.JobEventPublisher;
import io.locket.event.QuietWarnings;
import io.locket.job.EnqueueOptions;
import io.locket.job.UniqueJobDefinition;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Asks the lease service for what a call needs, and turns the answer into what the job
 * wants done. Blocks.
 */
final class LeaseGate {

	private static final Log logger = LogFactory.getLog(LeaseGate.class);

	private final Supplier<LeaseService> leases;

	private final OnUnavailable onUnavailable;

	private final RunningCalls calls;

	private final RefusedCalls refused;

	private final JobEventPublisher events;

	private final QuietWarnings warnings;

	LeaseGate(Supplier<LeaseService> leases, OnUnavailable onUnavailable, RunningCalls calls, RefusedCalls refused,
			JobEventPublisher events, LongSupplier nanoTime) {
		this.leases = leases;
		this.onUnavailable = onUnavailable;
		this.calls = calls;
		this.refused = refused;
		this.events = events;
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	Admission ask(GuardedCall call) {
		UniqueJobDefinition job = call.job();
		boolean period = job.lock() == LockStrategy.UNTIL_EXPIRED;
		try {
			LeaseAttempt attempt = period ? claim(call) : this.leases.get().attempt(request(call));
			if (attempt instanceof LeaseAttempt.Acquired acquired) {
				return new Admission.Admitted(new SharedLease(acquired.lease(), period, this.calls));
			}
			return refuse(call, (LeaseAttempt.Refused) attempt);
		}
		catch (LeaseUnavailableException ex) {
			return unavailable(call, ex);
		}
	}

	private LeaseAttempt claim(GuardedCall call) {
		return this.leases.get()
			.claim(call.key(), Objects.requireNonNull(call.job().uniqueFor(), "'uniqueFor' must not be null"));
	}

	private static LeaseRequest request(GuardedCall call) {
		UniqueJobDefinition job = call.job();
		LeaseRequest request = LeaseRequest.of(call.key()).lasting(job.leaseFor()).holdingAtLeast(job.holdAtLeast());
		return (job.onConflict() == ConflictStrategy.WAIT) ? request.waiting(job.waitFor()) : request;
	}

	private Admission refuse(GuardedCall call, LeaseAttempt.Refused refusal) {
		ConflictStrategy strategy = call.job().onConflict();
		this.events.publish(new CallRefused(call.key(), strategy, refusal.holder()));
		if (strategy == ConflictStrategy.REJECT) {
			logger.debug("Skipped job " + call.key() + ", which is held by " + refusal.holder());
			return new Admission.Skipped();
		}
		return strategy.enqueuesDirectCalls() ? enqueue(call)
				: new Admission.Failed(new DuplicateJobException(call.key(), refusal.holder(), refusal.remaining()));
	}

	/**
	 * Whatever fails here is neither a conflict nor a lease store without an answer: it
	 * is the caller's to know that the call is not enqueued.
	 */
	private Admission enqueue(GuardedCall call) {
		try {
			this.refused.enqueue(call.job(), call.key(), call.invocation().getArguments(), options(call.job()));
			return new Admission.Skipped();
		}
		catch (RuntimeException ex) {
			return new Admission.Failed(ex);
		}
	}

	private static EnqueueOptions options(UniqueJobDefinition job) {
		if (job.onConflict() == ConflictStrategy.PARK) {
			return EnqueueOptions.now();
		}
		long delay = job.rescheduleAfter().toMillis();
		return EnqueueOptions.in(Duration.ofMillis(delay + ThreadLocalRandom.current().nextLong(delay / 10 + 1)));
	}

	private Admission unavailable(GuardedCall call, LeaseUnavailableException error) {
		return switch (this.onUnavailable) {
			case FAIL -> new Admission.Failed(error);
			case SKIP -> call.returns().canBeSkipped() ? new Admission.Skipped() : new Admission.Failed(error);
			case RUN -> {
				warn(call, error);
				yield new Admission.Unguarded();
			}
		};
	}

	private void warn(GuardedCall call, LeaseUnavailableException error) {
		this.warnings.warn("job " + call.job().name(), "Job " + call.key()
				+ " runs unguarded, since no lease can be had. Look at Redis: " + error.getMessage());
	}

}
