package io.locket.job.definition;

import java.lang.reflect.Proxy;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Detection of the kind of proxy that a bean has or will have.
 */
public final class ProxyKind {

	private final ConfigurableListableBeanFactory beanFactory;

	private final InterfaceFinder interfaces = new InterfaceFinder();

	public ProxyKind(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns whether the proxy of a bean extends the bean's class.
	 * @param beanName the name of the bean
	 * @param beanClass the class of the bean
	 * @return {@code false} if it implements the bean's interfaces only
	 */
	public boolean isByClass(String beanName, Class<?> beanClass) {
		if (this.beanFactory.containsSingleton(beanName) && !this.beanFactory.isFactoryBean(beanName)) {
			Object bean = this.beanFactory.getSingleton(beanName);
			if (AopUtils.isAopProxy(bean)) {
				return AopUtils.isCglibProxy(bean);
			}
		}
		if (beanClass.isInterface() || Proxy.isProxyClass(beanClass) || ClassUtils.isLambdaClass(beanClass)) {
			return false;
		}
		return creatorProxiesTargetClass() || AutoProxyUtils.shouldProxyTargetClass(this.beanFactory, beanName)
				|| !this.interfaces.hasProxyable(beanClass);
	}

	private boolean creatorProxiesTargetClass() {
		return this.beanFactory.containsSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
				&& this.beanFactory
					.getSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
				&& creator.isProxyTargetClass();
	}

	/**
	 * Access to Spring's own choice of the interfaces to proxy.
	 */
	private static final class InterfaceFinder extends ProxyProcessorSupport {

		boolean hasProxyable(Class<?> beanClass) {
			ProxyFactory proxyFactory = new ProxyFactory();
			evaluateProxyInterfaces(beanClass, proxyFactory);
			return !proxyFactory.isProxyTargetClass();
		}

	}

}
