package io.locket.autoconfigure.job;

import java.util.Arrays;
import java.util.function.Supplier;

import io.locket.key.ArgumentsKeyGenerator;
import io.locket.key.JobKeyGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Supplier of the key generator for jobs that declare neither a key nor a generator: the
 * single or primary {@link JobKeyGenerator} bean, or all arguments. The generator is
 * chosen on first use, and an INFO line names it. Thread-safe.
 */
final class DefaultKeyGenerator implements Supplier<JobKeyGenerator> {

	private static final Log logger = LogFactory.getLog(DefaultKeyGenerator.class);

	private final ListableBeanFactory beanFactory;

	private final ObjectProvider<JobKeyGenerator> beans;

	private final SingletonSupplier<JobKeyGenerator> chosen = SingletonSupplier.of(this::choose);

	DefaultKeyGenerator(ListableBeanFactory beanFactory, ObjectProvider<JobKeyGenerator> beans) {
		this.beanFactory = beanFactory;
		this.beans = beans;
	}

	@Override
	public JobKeyGenerator get() {
		return this.chosen.obtain();
	}

	private JobKeyGenerator choose() {
		String[] names = this.beanFactory.getBeanNamesForType(JobKeyGenerator.class, true, false);
		JobKeyGenerator bean = this.beans.getIfUnique();
		if (bean == null) {
			if (names.length > 0) {
				logger.info("Keys of jobs without key and keyGenerator consist of all arguments because none of the"
						+ " JobKeyGenerator beans " + Arrays.toString(names) + " is the single or primary one");
			}
			return new ArgumentsKeyGenerator();
		}
		logger.info("JobKeyGenerator bean '" + nameOf(bean, names)
				+ "' generates the keys of jobs without key and keyGenerator");
		return bean;
	}

	private String nameOf(JobKeyGenerator bean, String[] names) {
		return Arrays.stream(names)
			.filter((name) -> this.beanFactory.isSingleton(name) && this.beanFactory.getBean(name) == bean)
			.findFirst()
			.orElseGet(() -> bean.getClass().getName());
	}

}
