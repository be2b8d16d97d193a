package io.locket;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public method of a Spring bean, or of an interface that a bean implements, as a
 * job that must not run twice at once for the same key, anywhere in the fleet.
 * <p>
 * Whoever calls the method through the bean is guarded: application code,
 * {@code @Scheduled}, {@code @Async}, a controller, a listener. The call takes a lease of
 * its key, a heartbeat keeps the lease alive while the body runs, and the lease ends by
 * itself when its process dies. A call that finds the key taken does what
 * {@link #onConflict()} says. A nested call of the same key on the same thread runs
 * inside the lease that is already held. A call on {@code this} bypasses the proxy and is
 * not guarded; {@link JobContext#required(String)} in the body shows that it runs
 * guarded.
 * <p>
 * The lease is released after the method has ended; if the caller has a transaction open,
 * after that has completed; if the method returns a {@code CompletionStage}, {@code Mono}
 * or {@code Flux}, after that has ended or was cancelled.
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
	 * Former names of the job, so that what was enqueued under them still finds its
	 * method. Keys are made of the name alone.
	 * @return the former names
	 */
	String[] aliases() default {};

	/**
	 * Name of the job: its identity in keys, meters and logs. Two overloads need names.
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
	 * Name of a {@code JobKeyGenerator} bean that makes the key. Excludes {@link #key()}.
	 * @return the bean name, by default the default generator
	 */
	String keyGenerator() default "";

	/**
	 * The phase in which the job is unique.
	 * @return the lock strategy
	 */
	LockStrategy lock() default LockStrategy.DEFAULT;

	/**
	 * What happens to a job that is enqueued while another one of its key is there.
	 * @return the duplicate strategy
	 */
	DuplicateStrategy onDuplicate() default DuplicateStrategy.DEFAULT;

	/**
	 * What a run does that finds its key taken when it starts.
	 * @return the conflict strategy
	 */
	ConflictStrategy onConflict() default ConflictStrategy.DEFAULT;

	/**
	 * How long the lease lasts without a heartbeat, which is how long a key stays taken
	 * after its holder died.
	 * @return a duration, by default {@code locket.lease.duration}
	 */
	String leaseFor() default "";

	/**
	 * Length of the period in which a job with {@link LockStrategy#UNTIL_EXPIRED} may run
	 * once. Mandatory there. Elsewhere an optional cap on the time for which a job that
	 * waits is unique. Both count from the due time; retries do not extend them.
	 * @return a duration
	 */
	String uniqueFor() default "";

	/**
	 * Bound on the wait of {@link ConflictStrategy#WAIT}. Mandatory there.
	 * @return a duration, by default none
	 */
	String waitFor() default "";

	/**
	 * Minimum time for which the key stays taken, counted from the start: a body that
	 * ends sooner leaves the rest of it on the key, which nothing renews. What ShedLock
	 * calls {@code lockAtLeastFor}: it covers clocks that differ between replicas.
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
	 * Delay after which {@link ConflictStrategy#RESCHEDULE} runs the job again, with up
	 * to a tenth of jitter.
	 * @return a duration, by default five seconds
	 */
	String rescheduleAfter() default "";

	/**
	 * Latest due time, counted from the first enqueue, that
	 * {@link DuplicateStrategy#REPLACE} may move a scheduled job to.
	 * @return a duration, by default none
	 */
	String maxDelay() default "";

	/**
	 * How many failed attempts of a queued run are followed by another one.
	 * @return a number, by default {@code locket.retry.max}
	 */
	String retries() default "";

	/**
	 * Delay before the second attempt of a queued run; it grows from attempt to attempt
	 * as {@code locket.retry.backoff} says.
	 * @return a duration, by default {@code locket.retry.backoff.initial}
	 */
	String backoff() default "";

	/**
	 * Failures of a queued run after which no other attempt is made. Subclasses count.
	 * @return the types
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/**
	 * How long a queued run may take. Then its body is interrupted, and the attempt has
	 * failed.
	 * @return a duration, by default none
	 */
	String timeout() default "";

}
