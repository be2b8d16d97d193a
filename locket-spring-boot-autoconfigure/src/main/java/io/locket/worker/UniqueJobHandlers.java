package io.locket.worker;

import java.util.Optional;

import io.locket.job.UniqueJobCatalog;
import io.locket.queue.ArgumentCodec;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.Assert;

/**
 * Runs queued jobs by the {@link io.locket.UniqueJob} methods of the beans.
 */
public final class UniqueJobHandlers implements JobHandlers {

	private final UniqueJobCatalog catalog;

	private final ArgumentCodec codec;

	private final BeanFactory beanFactory;

	/**
	 * Create handlers.
	 * @param catalog the jobs
	 * @param codec reads their arguments
	 * @param beanFactory where their beans are
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
			.map((definition) -> new BeanJobHandler(definition, this.codec, this.beanFactory));
	}

}
