package io.locket.job.catalog;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Resolver of the called bean among beans of one class, by the called object.
 */
final class JobTargets {

	private final ConfigurableListableBeanFactory beanFactory;

	JobTargets(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Chooses the called job.
	 * @param jobs the jobs of the method
	 * @param type the class of the object
	 * @param target the object
	 * @return the job, or {@code null} if it is ambiguous
	 */
	@Nullable BoundJob choose(List<BoundJob> jobs, Class<?> type, @Nullable Object target) {
		if (jobs.size() == 1) {
			return jobs.get(0);
		}
		Class<?> userClass = ClassUtils.getUserClass(type);
		List<BoundJob> candidates = jobs.stream().filter((job) -> job.bean().type() == userClass).toList();
		candidates = candidates.isEmpty() ? jobs : candidates;
		if (candidates.isEmpty()) {
			return null;
		}
		BoundJob first = candidates.get(0);
		if (candidates.stream().allMatch((job) -> job.job().name().equals(first.job().name()))) {
			return first;
		}
		return candidates.stream().filter((job) -> isTarget(job.bean().name(), target)).findFirst().orElse(null);
	}

	/**
	 * Returns whether calls of a job can be distinguished from those of other beans.
	 * @param job a job that is named after its bean
	 * @param jobs all jobs
	 * @return {@code false} if the job needs a stated name
	 */
	boolean canTell(BoundJob job, List<BoundJob> jobs) {
		if (!this.beanFactory.containsBean(job.bean().name())) {
			return false;
		}
		return isPlainSingleton(job.bean()) || jobs.stream().noneMatch((other) -> isRival(job, other));
	}

	private boolean isRival(BoundJob job, BoundJob other) {
		return !other.bean().name().equals(job.bean().name()) && other.job().method().equals(job.job().method())
				&& other.bean().type() == job.bean().type();
	}

	private boolean isPlainSingleton(JobBean bean) {
		return !bean.isScoped() && this.beanFactory.isSingleton(bean.name())
				&& !this.beanFactory.isFactoryBean(bean.name());
	}

	private boolean isTarget(String beanName, @Nullable Object target) {
		if (target == null || !this.beanFactory.containsSingleton(beanName)) {
			return false;
		}
		Object object = this.beanFactory.getSingleton(beanName);
		while (object != target && object instanceof Advised) {
			object = AopProxyUtils.getSingletonTarget(object);
		}
		return object == target;
	}

}
