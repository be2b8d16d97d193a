package io.locket.job.catalog;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.locket.job.definition.UniqueJobDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Jobs whose name is shared by several beans. A direct call identifies the bean. A queued
 * run has only the name, so one of the beans must be the only {@code @Primary} one, or
 * all must have one class. Thread-safe.
 */
final class SharedJobs {

	private static final String ACTION = "Give each of them a name of its own, or mark the one that is to run"
			+ " queued jobs @Primary";

	private final ConfigurableListableBeanFactory beanFactory;

	private final JobIndex index;

	SharedJobs(ConfigurableListableBeanFactory beanFactory, JobIndex index) {
		this.beanFactory = beanFactory;
		this.index = index;
	}

	/**
	 * Returns the job whose bean runs the queued jobs of a name.
	 * @param name the name or an alias
	 * @return the job, or {@code null} if there is none or if it is ambiguous
	 */
	@Nullable BoundJob runner(String name) {
		BoundJob known = this.index.named(name);
		if (known == null || this.index.sharing(known.job().name()).size() < 2) {
			return known;
		}
		return runner(known, beans(known.job().name()));
	}

	private @Nullable BoundJob runner(BoundJob known, Map<String, BoundJob> beans) {
		if (beans.size() < 2) {
			return known;
		}
		List<BoundJob> primary = beans.values().stream().filter(this::isPrimary).toList();
		if (primary.size() == 1) {
			return primary.get(0);
		}
		return isOneClass(beans.values()) ? beans.values().iterator().next() : null;
	}

	/**
	 * Returns the beans of a name. A bean that was found by its interface before it was
	 * created is also indexed by its class.
	 */
	private Map<String, BoundJob> beans(String name) {
		Map<String, BoundJob> beans = new TreeMap<>();
		this.index.sharing(name).forEach((job) -> beans.put(job.bean().name(), job));
		return beans;
	}

	private boolean isPrimary(BoundJob job) {
		String name = job.bean().name();
		return this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name).isPrimary();
	}

	private static boolean isOneClass(Collection<BoundJob> jobs) {
		Class<?> first = jobs.iterator().next().bean().type();
		return !Modifier.isAbstract(first.getModifiers())
				&& jobs.stream().allMatch((job) -> job.bean().type() == first);
	}

	/**
	 * Returns a job of the bean that runs it when it is queued.
	 * @param job the job
	 * @param type the called type, or {@code null} if the job was given by name
	 * @return the job
	 * @throws IllegalArgumentException if the bean is ambiguous, or if it does not have
	 * the type
	 */
	UniqueJobDefinition queued(UniqueJobDefinition job, @Nullable Class<?> type) {
		if (this.index.sharing(job.name()).size() < 2) {
			return job;
		}
		Map<String, BoundJob> beans = beans(job.name());
		if (beans.size() < 2) {
			return job;
		}
		BoundJob runner = runner(beans.values().iterator().next(), beans);
		if (runner == null) {
			throw new IllegalArgumentException("Job '" + job.name() + "' is declared by the beans " + beans.keySet()
					+ ", and it is ambiguous which of them is to run it. " + ACTION);
		}
		if (type != null && !type.isAssignableFrom(runner.bean().type())) {
			throw new IllegalArgumentException("Job '" + job.name() + "' is declared by the beans " + beans.keySet()
					+ ", and would not run on a " + ClassUtils.getShortName(type) + " but on '" + runner.bean().name()
					+ "', which is @Primary. " + ACTION);
		}
		return runner.job();
	}

	/**
	 * Returns the beans that have a job.
	 * @param name the name of the job
	 * @return their names
	 */
	Set<String> beanNames(String name) {
		return beans(name).keySet();
	}

	/**
	 * Describes the bean that runs queued jobs of a name that several beans have.
	 * @param name the name
	 * @return the text, or {@code null} if one bean has the name
	 */
	@Nullable String describe(String name) {
		Set<String> beans = beanNames(name);
		if (beans.size() < 2) {
			return null;
		}
		BoundJob runner = runner(name);
		return "Job '" + name + "' is declared by the beans " + beans + ". "
				+ ((runner != null) ? "Its queued runs use '" + runner.bean().name() + "'"
						: "It is neither enqueued nor run from a queue here. " + ACTION);
	}

}
