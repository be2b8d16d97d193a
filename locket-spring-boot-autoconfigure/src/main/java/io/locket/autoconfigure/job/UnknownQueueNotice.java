package io.locket.autoconfigure.job;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.UniqueJobDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Start-up log lines about queues that are configured and unused, probably because a name
 * is misspelt. They cover queues without a job or worker here, worker queues that cannot
 * be served, and workers that serve none of the queues of the jobs here.
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
			logger.warn("There is no JobQueue bean, so no worker here serves " + served
					+ ". Configure spring.data.redis.* and add locket-spring-boot-starter");
		}
		if (served.isEmpty() && !named.isEmpty() && this.properties.getWorker().isEnabled()
				&& this.queueThere.getAsBoolean()) {
			logger.info("This process runs no queued jobs because locket.worker.queues is not set. Jobs of queues "
					+ named + " run on processes that serve them");
		}
		if (this.properties.getWorker().isEnabled() && this.queueThere.getAsBoolean()) {
			checkServed(served);
		}
		known.addAll(served);
		Set<String> unknown = new TreeSet<>(this.properties.getQueues().keySet());
		unknown.removeAll(known);
		if (!unknown.isEmpty()) {
			logger.warn("locket.queues names " + unknown + ", but no job here belongs to them and no worker here serves"
					+ " them. Known queues are " + known
					+ ". Check the spelling, unless other applications enqueue into them");
		}
	}

	/**
	 * Warns if the workers serve none of the queues of the jobs here. One common queue is
	 * enough, because options can select another queue and a job may only be called
	 * directly.
	 */
	private void checkServed(Set<String> served) {
		Set<String> owned = new TreeSet<>();
		this.catalog.jobs().stream().map(UniqueJobDefinition::queue).forEach(owned::add);
		if (!served.isEmpty() && !owned.isEmpty() && served.stream().noneMatch(owned::contains)) {
			logger.warn("Workers here serve " + served + ", to which no job here belongs, and do not serve " + owned
					+ ", to which jobs here belong. Check the spelling of the names in locket.worker");
		}
	}

}
