package io.locket.job.catalog;

import java.util.Arrays;
import java.util.List;

import io.locket.job.definition.InvalidUniqueJobException.Problem;
import io.locket.job.definition.JobProblems;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Rule that existing beans with guarded jobs are proxied with Locket's advisor. A bean
 * that was created before the auto-proxy creator is not.
 */
final class ProxyRules {

	private static final Log logger = LogFactory.getLog(ProxyRules.class);

	private static final String TEST_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

	private final ConfigurableListableBeanFactory beanFactory;

	ProxyRules(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	void check(List<BoundJob> jobs, List<Problem> problems) {
		for (BoundJob job : jobs) {
			String name = job.bean().targetName();
			if (this.beanFactory.containsSingleton(name) && !this.beanFactory.isFactoryBean(name)
					&& !isGuarded(this.beanFactory.getSingleton(name))) {
				report(job, problems);
			}
		}
	}

	private void report(BoundJob job, List<Problem> problems) {
		String subject = JobProblems.subject(job.bean().name(), job.job().method());
		if (problems.stream().anyMatch((problem) -> problem.subject().equals(subject))) {
			return;
		}
		if (this.beanFactory.containsSingleton(TEST_OVERRIDES)) {
			logger.warn(
					subject + ": the bean is not proxied, so its calls run unguarded. A test overrides beans here: call"
							+ " the job through the bean if the test needs the guard");
			return;
		}
		new JobProblems(job.bean().name(), job.job().method(), problems).add(
				"The bean is not proxied, so its calls would run unguarded. It was created too early, as a dependency of"
						+ " a BeanPostProcessor or another infrastructure bean, or was registered as an object.",
				"Let the BeanPostProcessor take an ObjectProvider of it and declare its @Bean method static, or move"
						+ " the method to a bean of its own.");
	}

	private static boolean isGuarded(@Nullable Object bean) {
		Object object = bean;
		while (object instanceof Advised advised) {
			if (Arrays.stream(advised.getAdvisors()).anyMatch(UniqueJobAdvisor.class::isInstance)) {
				return true;
			}
			object = AopProxyUtils.getSingletonTarget(object);
		}
		return object instanceof SpringProxy;
	}

}
