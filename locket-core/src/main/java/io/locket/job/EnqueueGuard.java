package io.locket.job;

import java.util.Optional;

import io.locket.queue.spi.NewJob;

/**
 * Callback interface of beans that may refuse jobs before they are enqueued: in a
 * maintenance window, over a quota, for a closed tenant. Beans of this type are called in
 * their {@linkplain org.springframework.core.annotation.Order order}. The first refusal
 * is final.
 * <p>
 * A guard is called on the enqueuing thread, once for each job, before anything is sent
 * to the store and before the job waits for a transaction. It must be thread-safe and
 * fast, because the leader calls it for firings of schedules. If it throws an exception,
 * the enqueuing call fails with it and enqueues nothing.
 */
@FunctionalInterface
public interface EnqueueGuard {

	/**
	 * Decides whether a job may be enqueued.
	 * @param job the job as it would be stored, with its key and with its arguments as
	 * JSON
	 * @return the reason for the refusal, or empty if the job may be enqueued. The reason
	 * appears in logs and results, so it must not contain confidential arguments
	 */
	Optional<String> refusal(NewJob job);

}
