package io.locket.job;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Jobs whose name is that of several beans. A direct call tells the bean; a queued run
 * has the name only, so that one bean has to be the only {@code @Primary} one, or all of
 * them of one class. Thread-safe.
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
	 * Return the job whose bean runs the queued jobs of a name.
	 * @param name the name or an alias
	 * @return the job, or {@code null} if there is none or if it cannot be told
	 */
	@Nullable BoundJob runner(String name) {
		BoundJob known = this.index.named(name);
		return (known != null) ? runner(known, beans(known.job().name())) : null;
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
	 * A bean that was found by its interface before it was created is there by its class,
	 * too.
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
	 * Return a job as the bean has it that runs it when it is queued.
	 * @param job the job
	 * @param type the type that is called, or {@code null} if the job is named
	 * @return the job
	 * @throws IllegalArgumentException if it cannot be told which bean that is, or if it
	 * has not the type
	 */
	UniqueJobDefinition queued(UniqueJobDefinition job, @Nullable Class<?> type) {
		Map<String, BoundJob> beans = beans(job.name());
		if (beans.size() < 2) {
			return job;
		}
		BoundJob runner = runner(beans.values().iterator().next(), beans);
		if (runner == null) {
			throw new IllegalArgumentException("Job '" + job.name() + "' is that of the beans " + beans.keySet()
					+ ", and it cannot be told which of them is to run it. " + ACTION);
		}
		if (type != null && !type.isAssignableFrom(runner.bean().type())) {
			throw new IllegalArgumentException("Job '" + job.name() + "' is that of the beans " + beans.keySet()
					+ ", and would not run on a " + ClassUtils.getShortName(type) + " but on '" + runner.bean().name()
					+ "', which is @Primary. " + ACTION);
		}
		return runner.job();
	}

	/**
	 * Return the beans that have a job.
	 * @param name the name of the job
	 * @return their names
	 */
	Set<String> beanNames(String name) {
		return beans(name).keySet();
	}

	/**
	 * Tell who runs queued jobs of a name that several beans have.
	 * @param name the name
	 * @return the text, or {@code null} if one bean has the name
	 */
	@Nullable String describe(String name) {
		Set<String> beans = beanNames(name);
		if (beans.size() < 2) {
			return null;
		}
		BoundJob runner = runner(name);
		return "Job '" + name + "' is that of the beans " + beans + ". "
				+ ((runner != null) ? "Its queued runs are on '" + runner.bean().name() + "'"
						: "It is neither enqueued nor run from a queue here. " + ACTION);
	}

}
