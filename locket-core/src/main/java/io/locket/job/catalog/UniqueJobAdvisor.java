package io.locket.job.catalog;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.locket.job.definition.ProxyKind;
import io.locket.job.definition.UniqueJobAnnotations;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;

/**
 * Advisor that applies the {@code UniqueJobInterceptor} to {@link io.locket.UniqueJob}
 * methods. It is outside transactions and caches, which come last by default, and inside
 * {@code @Async}, which comes first. The interceptor bean is looked up when the first
 * guarded method is called, so that no proxy creates the lease service early.
 */
public final class UniqueJobAdvisor extends AbstractBeanFactoryPointcutAdvisor {

	/**
	 * Order of the advisor.
	 */
	public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private final Map<Class<?>, Set<String>> proxiedBeans = new ConcurrentHashMap<>();

	private transient @Nullable ProxyKind proxies;

	private transient volatile @Nullable Consumer<Class<?>> check;

	private final transient Pointcut pointcut = new UniqueJobPointcut();

	/**
	 * Creates an advisor.
	 * @param interceptorBeanName the name of the {@code UniqueJobInterceptor} bean
	 */
	public UniqueJobAdvisor(String interceptorBeanName) {
		setAdviceBeanName(interceptorBeanName);
		setOrder(ORDER);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		if (beanFactory instanceof ConfigurableListableBeanFactory listable) {
			this.proxies = new ProxyKind(listable);
		}
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	/**
	 * Returns the beans of a class that have been proxied, including beans whose
	 * definition does not state the class.
	 * @param beanClass the class
	 * @return the names of the beans
	 */
	Set<String> proxiedBeans(Class<?> beanClass) {
		return this.proxiedBeans.getOrDefault(beanClass, Collections.emptySet());
	}

	/**
	 * Returns all classes that have been proxied.
	 * @return the bean names by class
	 */
	Map<Class<?>, Set<String>> proxiedBeans() {
		return Collections.unmodifiableMap(this.proxiedBeans);
	}

	/**
	 * Sets the check of the jobs of each bean that is proxied from now on. Before this
	 * call, the caller has to check all beans itself.
	 * @param check a check that throws an exception if a proxied class has a job that
	 * cannot be guarded
	 */
	void checkFromNowOn(Consumer<Class<?>> check) {
		this.check = check;
	}

	private boolean matchesMethod(Method method, Class<?> targetClass) {
		if (UniqueJobAnnotations.find(AopUtils.getMostSpecificMethod(method, targetClass), targetClass) == null) {
			return false;
		}
		String beanName = ProxyCreationContext.getCurrentProxiedBeanName();
		if (beanName == null) {
			return true;
		}
		Set<String> names = this.proxiedBeans.computeIfAbsent(targetClass, (type) -> ConcurrentHashMap.newKeySet());
		Consumer<Class<?>> late = names.add(beanName) ? this.check : null;
		if (late != null) {
			check(late, targetClass, () -> names.remove(beanName));
		}
		return !cannotBeExtended(beanName, targetClass);
	}

	/**
	 * Checks a class. A bean that fails the check does not count as proxied, so the next
	 * one is checked again.
	 */
	private static void check(Consumer<Class<?>> check, Class<?> targetClass, Runnable undo) {
		boolean passed = false;
		try {
			check.accept(targetClass);
			passed = true;
		}
		finally {
			if (!passed) {
				undo.run();
			}
		}
	}

	/**
	 * Returns whether a class cannot be extended by its proxy. At start-up a final class
	 * is ignored, so that the catalogue can report it with all other problems. Later it
	 * fails the check of the bean.
	 */
	private boolean cannotBeExtended(String beanName, Class<?> targetClass) {
		ProxyKind kind = this.proxies;
		return Modifier.isFinal(targetClass.getModifiers()) && kind != null && kind.isByClass(beanName, targetClass);
	}

	/**
	 * Pointcut of annotated methods.
	 */
	private final class UniqueJobPointcut extends StaticMethodMatcherPointcut {

		private UniqueJobPointcut() {
			setClassFilter(UniqueJobAnnotations::isCandidate);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return matchesMethod(method, targetClass);
		}

	}

}
