package io.locket.job;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import io.locket.event.EnqueueRefused;
import io.locket.event.publish.JobEventPublisher;
import io.locket.queue.EnqueueResult;
import io.locket.queue.spi.NewJob;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Composite of the guards of an application. Thread-safe.
 */
public final class EnqueueGuards {

	private static final Log logger = LogFactory.getLog(EnqueueGuards.class);

	private final Supplier<List<EnqueueGuard>> guards;

	private final JobEventPublisher events;

	/**
	 * Creates guards.
	 * @param guards the supplier of the guards in their order, called for the first job
	 * @param events the publisher of refusals
	 */
	public EnqueueGuards(Supplier<List<EnqueueGuard>> guards, JobEventPublisher events) {
		this.guards = SingletonSupplier.of(guards);
		this.events = Objects.requireNonNull(events, "'events' must not be null");
	}

	/**
	 * Calls the guards, and publishes a refusal.
	 * @return the refusal, or {@code null} if the job may be enqueued
	 */
	EnqueueResult.@Nullable Refused check(NewJob job) {
		String reason = refusal(job);
		if (reason == null) {
			return null;
		}
		logger.debug("Refused " + job + ": " + reason);
		this.events.publish(new EnqueueRefused(job.id(), job.job(), job.queue(), reason));
		return new EnqueueResult.Refused(reason);
	}

	/**
	 * Calls the guards.
	 * @return the reason of the first refusal, or {@code null} if the job may be enqueued
	 */
	@Nullable String refusal(NewJob job) {
		for (EnqueueGuard guard : this.guards.get()) {
			Optional<String> reason = guard.refusal(job);
			if (reason.isPresent()) {
				return reason.get();
			}
		}
		return null;
	}

}
