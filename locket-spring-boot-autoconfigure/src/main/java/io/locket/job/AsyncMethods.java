package io.locket.job;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;

/**
 * Tells which methods hand their calls over to another thread, as {@code @Async} does.
 */
public final class AsyncMethods {

	/**
	 * Why no worker calls such a method, and what to write instead.
	 */
	public static final String REFUSAL = "is @Async, so that its body would run beside its queued run, which would end"
			+ " at once. Remove @Async, or move it to a method of another bean that calls the job";

	private AsyncMethods() {
	}

	/**
	 * Return whether a call of a method of a bean runs on another thread.
	 * @param bean the bean as others see it
	 * @param method the method
	 * @return {@code true} if the bean is proxied so
	 */
	public static boolean contain(@Nullable Object bean, Method method) {
		Object object = bean;
		while (object instanceof Advised advised) {
			Class<?> type = AopProxyUtils.ultimateTargetClass(object);
			Method specific = AopUtils.getMostSpecificMethod(method, type);
			if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> handsOver(advisor, specific, type))) {
				return true;
			}
			object = AopProxyUtils.getSingletonTarget(object);
		}
		return false;
	}

	/**
	 * The advice of Locket's own advisor is not asked for, which would create it.
	 */
	private static boolean handsOver(Advisor advisor, Method method, Class<?> type) {
		if (advisor instanceof UniqueJobAdvisor || !(advisor.getAdvice() instanceof AsyncExecutionInterceptor)) {
			return false;
		}
		return !(advisor instanceof PointcutAdvisor pointcut) || (pointcut.getPointcut().getClassFilter().matches(type)
				&& pointcut.getPointcut().getMethodMatcher().matches(method, type));
	}

}
