package io.locket.job.catalog;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.locket.job.definition.UniqueJobAnnotations;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Scanner for beans that may have jobs, by their types. It creates no bean, neither lazy
 * beans nor those of factory beans. A bean whose type is not known yet is found when it
 * is proxied.
 */
final class JobBeanScanner {

	private static final Log logger = LogFactory.getLog(JobBeanScanner.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final UniqueJobAdvisor advisor;

	JobBeanScanner(ConfigurableListableBeanFactory beanFactory, UniqueJobAdvisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	/**
	 * Finds all candidate beans whose type is known.
	 * @return the beans
	 */
	List<JobBean> scan() {
		Set<JobBean> beans = new LinkedHashSet<>();
		this.advisor.proxiedBeans().keySet().forEach((type) -> beans.addAll(byProxy(type)));
		Set<String> proxied = beans.stream().map(JobBean::name).collect(Collectors.toSet());
		Iterator<String> names = this.beanFactory.getBeanNamesIterator();
		while (names.hasNext()) {
			String name = names.next();
			if (!ScopedProxyUtils.isScopedTarget(name) && !proxied.contains(name)) {
				JobBean bean = byDefinition(name);
				if (bean != null) {
					beans.add(bean);
				}
			}
		}
		return new ArrayList<>(beans);
	}

	/**
	 * Finds the beans of a class that have been proxied.
	 * @param type the class
	 * @return the beans
	 */
	List<JobBean> byProxy(Class<?> type) {
		List<JobBean> beans = new ArrayList<>();
		for (String name : this.advisor.proxiedBeans(type)) {
			String known = ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name;
			beans.add(new JobBean(known, name, ClassUtils.getUserClass(type)));
		}
		return beans;
	}

	private @Nullable JobBean byDefinition(String name) {
		try {
			String targetName = ScopedProxyUtils.getTargetBeanName(name);
			if (!this.beanFactory.containsBeanDefinition(targetName)) {
				targetName = name;
			}
			Class<?> type = typeOf(targetName);
			return (type != null && UniqueJobAnnotations.isCandidate(type))
					? new JobBean(name, targetName, ClassUtils.getUserClass(type)) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The type of bean '" + name + "' is not known yet", ex);
			return null;
		}
	}

	private @Nullable Class<?> typeOf(String name) {
		if (this.beanFactory.containsBeanDefinition(name)) {
			BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(name);
			if (definition.isAbstract()) {
				return null;
			}
			if (definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) instanceof Class<?> original) {
				return original;
			}
		}
		return this.beanFactory.getType(name, false);
	}

}
