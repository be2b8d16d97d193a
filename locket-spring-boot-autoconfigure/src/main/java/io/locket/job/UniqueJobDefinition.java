package io.locket.job;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.LockStrategy;
import io.locket.key.JobKeyGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A job as its annotation, the properties and the bean it belongs to define it: no
 * placeholder, default or text is left to resolve. Immutable.
 *
 * @param name the name of the job
 * @param aliases its former names
 * @param beanName the name of the bean; the first one if several share the job, and empty
 * if only an interface declares it here
 * @param method the method of the bean's class, or of the interface
 * @param keyGenerator what makes the key
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param queue the queue into which it is enqueued
 * @param lock the lock strategy, never {@code DEFAULT}
 * @param onDuplicate the duplicate strategy, never {@code DEFAULT}
 * @param onConflict the conflict strategy of direct calls, never {@code DEFAULT}
 * @param onConflictQueued the conflict strategy of queued runs, neither {@code DEFAULT}
 * nor {@code WAIT}
 * @param leaseFor how long a lease lasts without a heartbeat
 * @param uniqueFor the period of {@link LockStrategy#UNTIL_EXPIRED}, elsewhere a cap on
 * the ticket, or {@code null}
 * @param waitFor the bound of {@link ConflictStrategy#WAIT}, zero for none
 * @param rescheduleAfter the delay of {@link ConflictStrategy#RESCHEDULE}
 * @param holdAtLeast the minimum hold, zero for none
 * @param maxDelay how far {@link DuplicateStrategy#REPLACE} may move the due time, or
 * {@code null} for as far as it likes
 * @param retries how many failed attempts of a queued run are followed by another one
 * @param backoff the delay before the second attempt, or {@code null} for that of all
 * jobs
 * @param noRetryFor failures after which no other attempt is made
 * @param timeout how long a queued run may take, or {@code null} for as long as it likes
 * @param declared the strategies that the annotation states, {@code DEFAULT} for others
 */
public record UniqueJobDefinition(String name, Set<String> aliases, String beanName, Method method,
		JobKeyGenerator keyGenerator, boolean maskArguments, String queue, LockStrategy lock,
		DuplicateStrategy onDuplicate, ConflictStrategy onConflict, ConflictStrategy onConflictQueued,
		Duration leaseFor, @Nullable Duration uniqueFor, Duration waitFor, Duration rescheduleAfter,
		Duration holdAtLeast, @Nullable Duration maxDelay, int retries, @Nullable Duration backoff,
		Set<Class<? extends Throwable>> noRetryFor, @Nullable Duration timeout, StrategySettings declared) {

	public UniqueJobDefinition {
		aliases = Collections.unmodifiableSet(new LinkedHashSet<>(aliases));
		noRetryFor = Collections.unmodifiableSet(new LinkedHashSet<>(noRetryFor));
	}

	UniqueJobDefinition with(JobStrategies strategies) {
		return new UniqueJobDefinition(this.name, this.aliases, this.beanName, this.method, this.keyGenerator,
				this.maskArguments, this.queue, strategies.lock(), strategies.onDuplicate(), strategies.direct(),
				strategies.queued(), this.leaseFor, this.uniqueFor, this.waitFor, this.rescheduleAfter,
				this.holdAtLeast, this.maxDelay, this.retries, this.backoff, this.noRetryFor, this.timeout,
				this.declared);
	}

}
