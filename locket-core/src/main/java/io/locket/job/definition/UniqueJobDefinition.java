package io.locket.job.definition;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import io.locket.ConflictStrategy;
import io.locket.DuplicateStrategy;
import io.locket.JobKey;
import io.locket.LockStrategy;
import io.locket.key.JobCall;
import io.locket.key.JobKeyGenerator;
import io.locket.key.JobKeys;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a job, resolved from its annotation, the properties and its bean. It
 * contains no placeholders or unresolved defaults. Immutable.
 *
 * @param name the name of the job
 * @param aliases its former names
 * @param beanName the name of the bean; the first one if several share the job, and empty
 * if only an interface declares it in this application
 * @param method the method of the bean's class, or of the interface
 * @param beanType the class of the bean, or the interface; it resolves type variables of
 * a generic superclass
 * @param keyGenerator the key generator
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param queue the queue into which it is enqueued
 * @param strategies the strategies in its queue
 * @param times the durations
 * @param retry the attempts of its queued runs
 * @param declared the strategies that the annotation states, {@code DEFAULT} for others
 */
public record UniqueJobDefinition(String name, Set<String> aliases, String beanName, Method method, Class<?> beanType,
		JobKeyGenerator keyGenerator, boolean maskArguments, String queue, JobStrategies strategies, JobTimes times,
		JobRetry retry, StrategySettings declared) {

	public UniqueJobDefinition {
		aliases = Collections.unmodifiableSet(new LinkedHashSet<>(aliases));
	}

	/**
	 * Returns the lock strategy.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public LockStrategy lock() {
		return this.strategies.lock();
	}

	/**
	 * Returns the duplicate strategy.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public DuplicateStrategy onDuplicate() {
		return this.strategies.onDuplicate();
	}

	/**
	 * Returns the conflict strategy of direct calls.
	 * @return the strategy, never {@code DEFAULT}
	 */
	public ConflictStrategy onConflict() {
		return this.strategies.direct();
	}

	/**
	 * Returns the conflict strategy of queued runs.
	 * @return the strategy, neither {@code DEFAULT} nor {@code WAIT}
	 */
	public ConflictStrategy onConflictQueued() {
		return this.strategies.queued();
	}

	/**
	 * Returns the period of {@link LockStrategy#UNTIL_EXPIRED}, elsewhere a cap on the
	 * ticket.
	 * @return the duration, or {@code null} for none
	 */
	public @Nullable Duration uniqueFor() {
		return this.strategies.uniqueFor();
	}

	/**
	 * Creates a call of the job.
	 * @param target the queue of the call, which may be another one than the job's own
	 * @param args the arguments
	 * @return the call
	 */
	public JobCall call(String target, @Nullable Object[] args) {
		return JobCall.of(this.name, target, this.method, args);
	}

	/**
	 * Creates the key of a call of the job.
	 * @param call the call
	 * @param keys the factory of keys
	 * @return the key
	 * @throws io.locket.JobKeyException if no key can be derived from the call
	 */
	public JobKey key(JobCall call, JobKeys keys) {
		return keys.keyOf(call, this.keyGenerator, this.maskArguments);
	}

	/**
	 * Returns whether the annotation states a period that the strategy in the job's own
	 * queue does not use. Other queues may use it.
	 * @return {@code true} if {@code uniqueFor} has no effect there
	 */
	public boolean hasUnusedPeriod() {
		return this.declared.uniqueFor() != null && !JobStrategies.refusesDuplicates(lock());
	}

	UniqueJobDefinition with(JobStrategies others) {
		return new UniqueJobDefinition(this.name, this.aliases, this.beanName, this.method, this.beanType,
				this.keyGenerator, this.maskArguments, this.queue, others, this.times, this.retry, this.declared);
	}

}
