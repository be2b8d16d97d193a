package io.locket.job.catalog;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Detection of methods whose calls run on another thread, as with {@code @Async}.
 */
public final class AsyncMethods {

	/**
	 * Text of the problem, to follow the name of the method.
	 */
	public static final String REFUSAL = "is @Async: its body would run on another thread, and its queued run would end"
			+ " at once";

	/**
	 * Text of the remedy.
	 */
	public static final String ADVICE = "Remove @Async, or move it to a method of another bean that calls the job";

	private AsyncMethods() {
	}

	/**
	 * Returns whether a call of a method of an existing singleton runs on another thread.
	 * @param beanFactory the bean factory
	 * @param bean the name of the bean
	 * @param method the method
	 * @return {@code true} if the bean exists and is proxied so
	 */
	public static boolean contain(ConfigurableListableBeanFactory beanFactory, String bean, Method method) {
		return beanFactory.containsSingleton(bean) && !beanFactory.isFactoryBean(bean)
				&& contain(beanFactory.getSingleton(bean), method);
	}

	/**
	 * Returns whether a call of a method of a bean runs on another thread.
	 * @param bean the bean, with its proxies
	 * @param method the method
	 * @return {@code true} if the bean is proxied so
	 */
	public static boolean contain(@Nullable Object bean, Method method) {
		Object object = bean;
		while (object instanceof Advised advised) {
			for (Advisor advisor : advised.getAdvisors()) {
				if (handsOver(advisor, method, object)) {
					return true;
				}
			}
			object = AopProxyUtils.getSingletonTarget(object);
		}
		return false;
	}

	/**
	 * Returns whether an advisor hands the method over to an executor. The advice of
	 * Locket's own advisor is not requested, because that would create it.
	 */
	private static boolean handsOver(Advisor advisor, Method method, Object bean) {
		if (advisor instanceof UniqueJobAdvisor || !(advisor.getAdvice() instanceof AsyncExecutionInterceptor)) {
			return false;
		}
		if (!(advisor instanceof PointcutAdvisor pointcut)) {
			return true;
		}
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		return pointcut.getPointcut().getClassFilter().matches(type) && pointcut.getPointcut()
			.getMethodMatcher()
			.matches(AopUtils.getMostSpecificMethod(method, type), type);
	}

}
