package io.locket.job;

import java.lang.reflect.Method;
import java.time.Duration;

import io.locket.ConflictStrategy;
import io.locket.LockStrategy;
import io.locket.key.JobKeyGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A job as its annotation, the properties and the bean it belongs to define it: no
 * placeholder, default or text is left to resolve. Immutable.
 *
 * @param name the name of the job
 * @param beanName the name of the bean; the first one if several share the job
 * @param method the method of the bean's class
 * @param keyGenerator what makes the key
 * @param maskArguments whether arguments are kept out of logs, holder records and
 * exceptions
 * @param lock the lock strategy, never {@code DEFAULT}
 * @param onConflict the conflict strategy, never {@code DEFAULT}
 * @param leaseFor how long the lease lasts without a heartbeat
 * @param uniqueFor the period of {@link LockStrategy#UNTIL_EXPIRED}, or {@code null}
 * @param waitFor the bound of {@link ConflictStrategy#WAIT}, zero for none
 * @param holdAtLeast the minimum hold, zero for none
 */
public record UniqueJobDefinition(String name, String beanName, Method method, JobKeyGenerator keyGenerator,
		boolean maskArguments, LockStrategy lock, ConflictStrategy onConflict, Duration leaseFor,
		@Nullable Duration uniqueFor, Duration waitFor, Duration holdAtLeast) {

}
