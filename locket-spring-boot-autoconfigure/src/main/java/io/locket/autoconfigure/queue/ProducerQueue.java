package io.locket.autoconfigure.queue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.locket.queue.spi.JobQueue;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Supplier of the queue of a producer. If no worker here runs the jobs, it logs the
 * namespace with the first job, because workers of another namespace never receive it.
 * Thread-safe.
 */
final class ProducerQueue implements Supplier<JobQueue> {

	private static final Log logger = LogFactory.getLog(ProducerQueue.class);

	private final Supplier<JobQueue> queue;

	private final @Nullable String namespace;

	private final AtomicBoolean logged = new AtomicBoolean();

	/**
	 * Creates a supplier.
	 * @param queue the queue, resolved on first use
	 * @param namespace the namespace to log, or {@code null} to log nothing
	 */
	ProducerQueue(ObjectProvider<JobQueue> queue, @Nullable String namespace) {
		this.queue = SingletonSupplier.of(queue::getObject);
		this.namespace = namespace;
	}

	@Override
	public JobQueue get() {
		if (this.namespace != null && this.logged.compareAndSet(false, true)) {
			logger.info("Enqueuing into namespace '" + this.namespace
					+ "'. Jobs run on workers with the same locket.namespace, or with the same spring.application.name"
					+ " if they set no locket.namespace");
		}
		return this.queue.get();
	}

}
