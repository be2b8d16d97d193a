package io.locket.aop.call;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.ConflictStrategy;
import io.locket.DuplicateJobException;
import io.locket.LeaseUnavailableException;
import io.locket.LockStrategy;
import io.locket.event.CallRefused;
import io.locket.event.publish.JobEventPublisher;
import io.locket.job.EnqueueOptions;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.lease.LeaseAttempt;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.log.QuietWarnings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Gate that requests the lease of a call from the lease service and converts the reply
 * according to the job's strategies.
 */
public final class LeaseGate {

	private static final Log logger = LogFactory.getLog(LeaseGate.class);

	private final Supplier<LeaseService> leases;

	private final OnUnavailable onUnavailable;

	private final RunningCalls calls;

	private final RefusedCalls refused;

	private final JobEventPublisher events;

	private final QuietWarnings warnings;

	/**
	 * Creates a gate.
	 * @param leases the lease service, resolved at the first call
	 * @param onUnavailable the behavior when the store does not reply
	 * @param calls the running calls, with which each call is registered
	 * @param refused enqueues refused calls
	 * @param events the publisher of refusals
	 * @param nanoTime the monotonic clock, in nanoseconds
	 */
	public LeaseGate(Supplier<LeaseService> leases, OnUnavailable onUnavailable, RunningCalls calls,
			RefusedCalls refused, JobEventPublisher events, LongSupplier nanoTime) {
		this.leases = leases;
		this.onUnavailable = onUnavailable;
		this.calls = calls;
		this.refused = refused;
		this.events = events;
		this.warnings = new QuietWarnings(logger, nanoTime);
	}

	/**
	 * Requests the lease or the claim of a call. Blocks while the key is held, if the
	 * call waits for it.
	 * @param call the call
	 * @return the admission
	 */
	public Admission admit(GuardedCall call) {
		boolean claims = call.job().lock() == LockStrategy.UNTIL_EXPIRED;
		try {
			return admit(call, claims ? claim(call) : this.leases.get().attempt(request(call)));
		}
		catch (LeaseUnavailableException ex) {
			return unavailable(call, ex);
		}
	}

	/**
	 * Requests the lease of a call that waits for its key. Blocks for the first attempt
	 * only, not while the key is held.
	 * @param call the call
	 * @return the future reply, for {@link #admit}; its cancellation ends the wait
	 */
	public CompletableFuture<LeaseAttempt> attemptAsync(GuardedCall call) {
		return this.leases.get().attemptAsync(request(call));
	}

	/**
	 * Converts the end of {@link #attemptAsync} to an admission.
	 * @param call the call
	 * @param attempt the reply, or {@code null} if there is none
	 * @param failure the reason for that, or {@code null}
	 * @return the admission
	 */
	public Admission admit(GuardedCall call, @Nullable LeaseAttempt attempt, @Nullable Throwable failure) {
		if (attempt != null) {
			return admit(call, attempt);
		}
		if (failure instanceof LeaseUnavailableException unavailable) {
			return unavailable(call, unavailable);
		}
		return new Admission.Failed((failure instanceof RuntimeException ex) ? ex
				: new IllegalStateException("The lease of " + call.key() + " could not be requested", failure));
	}

	private Admission admit(GuardedCall call, LeaseAttempt attempt) {
		if (attempt instanceof LeaseAttempt.Acquired acquired) {
			return new Admission.Admitted(new SharedLease(acquired.lease(), this.calls));
		}
		return refuse(call, (LeaseAttempt.Refused) attempt);
	}

	private LeaseAttempt claim(GuardedCall call) {
		return this.leases.get()
			.claim(call.key(), Objects.requireNonNull(call.job().uniqueFor(), "'uniqueFor' must not be null"));
	}

	private static LeaseRequest request(GuardedCall call) {
		UniqueJobDefinition job = call.job();
		LeaseRequest request = LeaseRequest.of(call.key())
			.lasting(job.times().leaseFor())
			.holdingAtLeast(job.times().holdAtLeast());
		return (job.onConflict() == ConflictStrategy.WAIT) ? request.waiting(job.times().waitFor()) : request;
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
	 * Enqueues a refused call. A failure is neither a conflict nor an outage of the lease
	 * store, so the caller receives it.
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
		long delay = job.times().rescheduleAfter().toMillis();
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
				+ " runs unguarded, because the lease store is not available. Check Redis: " + error.getMessage());
	}

}
