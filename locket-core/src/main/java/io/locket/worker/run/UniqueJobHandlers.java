package io.locket.worker.run;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.locket.job.catalog.UniqueJobCatalog;
import io.locket.job.definition.UniqueJobDefinition;
import io.locket.queue.argument.ArgumentCodec;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.Assert;

/**
 * Handlers of queued jobs that call the {@link io.locket.UniqueJob} methods of the beans.
 */
public final class UniqueJobHandlers implements JobHandlers {

	private final UniqueJobCatalog catalog;

	private final ArgumentCodec codec;

	private final BeanFactory beanFactory;

	/**
	 * Most recent handlers, by the names of the jobs.
	 */
	private final Map<String, BeanJobHandler> handlers = new ConcurrentHashMap<>();

	/**
	 * Creates handlers.
	 * @param catalog the jobs
	 * @param codec the codec of their arguments
	 * @param beanFactory the factory of their beans
	 */
	public UniqueJobHandlers(UniqueJobCatalog catalog, ArgumentCodec codec, BeanFactory beanFactory) {
		Assert.notNull(catalog, "'catalog' must not be null");
		Assert.notNull(codec, "'codec' must not be null");
		Assert.notNull(beanFactory, "'beanFactory' must not be null");
		this.catalog = catalog;
		this.codec = codec;
		this.beanFactory = beanFactory;
	}

	@Override
	public Optional<JobHandler> find(String job) {
		return this.catalog.findQueued(job)
			.filter((definition) -> this.beanFactory.containsBean(definition.beanName()))
			.map(this::handler);
	}

	private JobHandler handler(UniqueJobDefinition job) {
		BeanJobHandler known = this.handlers.get(job.name());
		if (known == null || !known.isOf(job)) {
			known = new BeanJobHandler(job, this.codec, this.beanFactory);
			this.handlers.put(job.name(), known);
		}
		return known;
	}

}
