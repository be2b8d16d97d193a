package io.locket.autoconfigure;

import java.util.Arrays;
import java.util.function.Supplier;

import io.locket.key.ArgumentsKeyGenerator;
import io.locket.key.JobKeyGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Chooses what makes the keys of jobs that say nothing of theirs: the only or primary
 * {@link JobKeyGenerator} bean, which is named in the log, or all arguments. Chosen when
 * the first such job is looked at. Thread-safe.
 */
final class DefaultKeyGenerator implements Supplier<JobKeyGenerator> {

	private static final Log logger = LogFactory.getLog(DefaultKeyGenerator.class);

	private final ListableBeanFactory beanFactory;

	private final ObjectProvider<JobKeyGenerator> beans;

	private @Nullable JobKeyGenerator chosen;

	DefaultKeyGenerator(ListableBeanFactory beanFactory, ObjectProvider<JobKeyGenerator> beans) {
		this.beanFactory = beanFactory;
		this.beans = beans;
	}

	@Override
	public synchronized JobKeyGenerator get() {
		JobKeyGenerator generator = this.chosen;
		if (generator == null) {
			generator = choose();
			this.chosen = generator;
		}
		return generator;
	}

	private JobKeyGenerator choose() {
		String[] names = this.beanFactory.getBeanNamesForType(JobKeyGenerator.class, true, false);
		JobKeyGenerator bean = this.beans.getIfUnique();
		if (bean == null) {
			if (names.length > 0) {
				logger.info("All arguments make the keys of jobs without key and keyGenerator: of the JobKeyGenerator"
						+ " beans " + Arrays.toString(names) + " none is the only or primary one");
			}
			return new ArgumentsKeyGenerator();
		}
		logger.info("JobKeyGenerator bean '" + nameOf(bean, names)
				+ "' makes the keys of jobs without key and keyGenerator");
		return bean;
	}

	private String nameOf(JobKeyGenerator bean, String[] names) {
		return Arrays.stream(names)
			.filter((name) -> this.beanFactory.isSingleton(name) && this.beanFactory.getBean(name) == bean)
			.findFirst()
			.orElseGet(() -> bean.getClass().getName());
	}

}
