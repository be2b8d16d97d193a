package io.locket.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.locket.queue.JobQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The queue of a producer. Says with the first job where it goes, if no worker here runs
 * it: workers of another namespace never see it. Thread-safe.
 */
final class ProducerQueue implements Supplier<JobQueue> {

	private static final Log logger = LogFactory.getLog(ProducerQueue.class);

	private final ObjectProvider<JobQueue> queue;

	private final @Nullable String namespace;

	private final AtomicBoolean said = new AtomicBoolean();

	/**
	 * Create the queue of a producer.
	 * @param queue the queue, asked for when it is needed
	 * @param namespace the namespace to tell of, or {@code null} to say nothing
	 */
	ProducerQueue(ObjectProvider<JobQueue> queue, @Nullable String namespace) {
		this.queue = queue;
		this.namespace = namespace;
	}

	@Override
	public JobQueue get() {
		if (this.namespace != null && this.said.compareAndSet(false, true)) {
			logger.info("Enqueuing into namespace '" + this.namespace
					+ "': workers with that locket.namespace run the jobs, or with that spring.application.name if"
					+ " locket.namespace is not set there");
		}
		return this.queue.getObject();
	}

}
