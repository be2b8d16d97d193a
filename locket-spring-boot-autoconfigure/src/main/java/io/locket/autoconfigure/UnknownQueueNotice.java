package io.locket.autoconfigure;

import java.util.Set;
import java.util.TreeSet;

import io.locket.job.UniqueJobCatalog;
import io.locket.job.UniqueJobDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says which queues are configured that nothing here has to do with: a name may be
 * misspelt, or the configuration be shared with others.
 */
final class UnknownQueueNotice implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(UnknownQueueNotice.class);

	private final LocketProperties properties;

	private final UniqueJobCatalog catalog;

	UnknownQueueNotice(LocketProperties properties, UniqueJobCatalog catalog) {
		this.properties = properties;
		this.catalog = catalog;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> known = new TreeSet<>();
		known.add(this.properties.getQueue().getDefaultName());
		this.catalog.jobs().stream().map(UniqueJobDefinition::queue).forEach(known::add);
		WorkerGroupSpec.of(this.properties.getWorker())
			.forEach((group) -> group.queues().forEach((queue) -> known.add(queue.name())));
		Set<String> unknown = new TreeSet<>(this.properties.getQueues().keySet());
		unknown.removeAll(known);
		if (!unknown.isEmpty()) {
			logger.warn("locket.queues names " + unknown + ", which no job here belongs to and no worker here serves."
					+ " Known are " + known);
		}
	}

}
