package io.locket;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public method of a Spring bean, or of an interface that a bean implements, as a
 * job. For the same key it never runs twice at once, anywhere in the fleet.
 * <p>
 * Every call of the method through the bean is guarded: from application code,
 * {@code @Scheduled}, {@code @Async}, a controller or a listener. The call takes a lease
 * of its key, and a heartbeat renews the lease while the body runs. If the process dies,
 * the lease expires by itself. A call whose key is already held follows
 * {@link #onConflict()}. A nested call of the same key on the same thread runs inside the
 * lease that is already held.
 * <p>
 * A call on {@code this} bypasses the proxy and is not guarded.
 * {@link JobContext#required(String)} in the body verifies that the body runs guarded.
 * <p>
 * The lease is released after the method has ended. If the caller has a transaction open,
 * it is released after the transaction has completed. If the method returns a
 * {@code CompletionStage}, {@code Mono} or {@code Flux}, it is released after that has
 * ended or was cancelled.
 * <p>
 * Every text attribute may contain <code>${...}</code> placeholders. Durations are
 * written in Spring Boot's style ({@code 500ms}, {@code 35s}, {@code PT1H}). The
 * annotation can be used as a meta-annotation whose attributes are overridden with
 * {@code @AliasFor}.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface UniqueJob {

	/**
	 * Queue into which the job is enqueued.
	 * @return the name of the queue, by default {@code locket.queue.default-name}
	 */
	String queue() default "";

	/**
	 * Former names of the job, so that jobs enqueued under them still find the method.
	 * Keys are made of the name alone.
	 * @return the former names
	 */
	String[] aliases() default {};

	/**
	 * Name of the job, which identifies it in keys, meters and logs. Two overloads need
	 * names.
	 * @return the name, by default {@code beanName.methodName}
	 */
	String name() default "";

	/**
	 * SpEL expression for the part of the arguments that makes the job unique, such as
	 * <code>{#customerId, #period}</code>. Arguments are variables by name and by
	 * position ({@code #p0}, {@code #a0}), and so is {@code #queue}. The result is a
	 * value, a list or a map; {@code null} and empty results are refused.
	 * @return the expression, by default every argument counts
	 */
	String key() default "";

	/**
	 * Name of a {@code JobKeyGenerator} bean that generates the key. Excludes
	 * {@link #key()}.
	 * @return the bean name, by default the default generator
	 */
	String keyGenerator() default "";

	/**
	 * Phase in which the job is unique.
	 * @return the lock strategy
	 */
	LockStrategy lock() default LockStrategy.DEFAULT;

	/**
	 * Strategy for an enqueue while another job with the same key exists.
	 * @return the duplicate strategy
	 */
	DuplicateStrategy onDuplicate() default DuplicateStrategy.DEFAULT;

	/**
	 * Strategy for a run whose key is already held when it starts.
	 * @return the conflict strategy
	 */
	ConflictStrategy onConflict() default ConflictStrategy.DEFAULT;

	/**
	 * Duration of the lease without a heartbeat. This is the time for which a key stays
	 * held after its holder died.
	 * @return a duration, by default {@code locket.lease.duration}
	 */
	String leaseFor() default "";

	/**
	 * Length of the period in which a job with {@link LockStrategy#UNTIL_EXPIRED} may run
	 * once. Mandatory for that strategy, either here or as {@code unique-for} of the
	 * queue or of all jobs. For the other strategies that begin with {@code UNTIL} it is
	 * an optional cap on the time for which a waiting job is unique. The remaining
	 * strategies do not allow it. It counts from the due time, also after
	 * {@link DuplicateStrategy#REPLACE} or an operator has moved that; retries do not
	 * extend it.
	 * @return a duration, by default that of the queue or of all jobs
	 */
	String uniqueFor() default "";

	/**
	 * Maximum wait of {@link ConflictStrategy#WAIT}. Mandatory for that strategy.
	 * @return a duration, by default none
	 */
	String waitFor() default "";

	/**
	 * Minimum time for which the key stays held, counted from the start. A body that ends
	 * sooner leaves the rest of the time on the key, which is not renewed. It covers
	 * clocks that differ between replicas, as {@code lockAtLeastFor} of ShedLock does.
	 * @return a duration, by default none
	 */
	String holdAtLeast() default "";

	/**
	 * Whether to keep the arguments out of holder records, logs, exceptions and endpoints
	 * ({@code true} or {@code false}).
	 * @return the flag, by default {@code locket.mask-arguments}
	 */
	String maskArguments() default "";

	/**
	 * Delay before {@link ConflictStrategy#RESCHEDULE} runs the job again, with up to a
	 * tenth of jitter.
	 * @return a duration, by default five seconds
	 */
	String rescheduleAfter() default "";

	/**
	 * Latest due time to which {@link DuplicateStrategy#REPLACE} may move a scheduled
	 * job, counted from the first enqueue.
	 * @return a duration, by default none
	 */
	String maxDelay() default "";

	/**
	 * Number of failed attempts of a queued run that are followed by another attempt.
	 * @return a number, by default {@code locket.retry.max}
	 */
	String retries() default "";

	/**
	 * Delay before the second attempt of a queued run. Later delays grow as
	 * {@code locket.retry.backoff} defines.
	 * @return a duration, by default {@code locket.retry.backoff.initial}
	 */
	String backoff() default "";

	/**
	 * Failures of a queued run that are not retried. Subclasses count too.
	 * @return the types
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/**
	 * Maximum time for the body of a queued run. After it the body is interrupted and the
	 * attempt has failed.
	 * @return a duration, by default none
	 */
	String timeout() default "";

}
