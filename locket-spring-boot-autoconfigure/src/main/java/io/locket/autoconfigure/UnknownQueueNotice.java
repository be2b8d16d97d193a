package io.locket.autoconfigure;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

import io.locket.job.UniqueJobCatalog;
import io.locket.job.UniqueJobDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says which queues are configured that nothing here has to do with: a name may be
 * misspelt, or the configuration be shared with others. And which no worker serves, since
 * there is no queue to take jobs from or this process is to serve none; and which ones
 * are served instead of those of the jobs.
 */
final class UnknownQueueNotice implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UnknownQueueNotice.class);

	private final LocketProperties properties;

	private final UniqueJobCatalog catalog;

	private final BooleanSupplier queueThere;

	UnknownQueueNotice(LocketProperties properties, UniqueJobCatalog catalog, BooleanSupplier queueThere) {
		this.properties = properties;
		this.catalog = catalog;
		this.queueThere = queueThere;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> known = new TreeSet<>();
		this.catalog.jobs().stream().map(UniqueJobDefinition::queue).forEach(known::add);
		Set<String> named = new TreeSet<>(known);
		named.remove(this.properties.getQueue().getDefaultName());
		known.add(this.properties.getQueue().getDefaultName());
		Set<String> served = new TreeSet<>();
		WorkerGroupSpec.of(this.properties.getWorker())
			.forEach((group) -> group.queues().forEach((queue) -> served.add(queue.name())));
		if (!served.isEmpty() && this.properties.getWorker().isEnabled() && !this.queueThere.getAsBoolean()) {
			logger.warn("There is no JobQueue bean, so that no worker here serves " + served
					+ ". Configure spring.data.redis.* with locket-spring-boot-starter");
		}
		if (served.isEmpty() && !named.isEmpty() && this.properties.getWorker().isEnabled()
				&& this.queueThere.getAsBoolean()) {
			logger.info("This process runs no queued jobs, since locket.worker.queues is not set; jobs of queues "
					+ named + " run where they are served");
		}
		if (this.properties.getWorker().isEnabled() && this.queueThere.getAsBoolean()) {
			checkServed(served);
		}
		known.addAll(served);
		Set<String> unknown = new TreeSet<>(this.properties.getQueues().keySet());
		unknown.removeAll(known);
		if (!unknown.isEmpty()) {
			logger.warn("locket.queues names " + unknown + ", which no job here belongs to and no worker here serves."
					+ " Known are " + known
					+ ". See whether the name is misspelt; it may be that of a queue into which jobs of others are enqueued");
		}
	}

	/**
	 * A queue may have got its jobs by options, and a job may only be called directly:
	 * one queue that fits is enough.
	 */
	private void checkServed(Set<String> served) {
		Set<String> owned = new TreeSet<>();
		this.catalog.jobs().stream().map(UniqueJobDefinition::queue).forEach(owned::add);
		if (!served.isEmpty() && !owned.isEmpty() && served.stream().noneMatch(owned::contains)) {
			logger.warn("Workers here serve " + served + ", to which no job here belongs, and do not serve " + owned
					+ ", to which jobs here belong: see whether a name in locket.worker is misspelt");
		}
	}

}
