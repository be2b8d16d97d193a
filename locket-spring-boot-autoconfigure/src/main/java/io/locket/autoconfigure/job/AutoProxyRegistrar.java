package io.locket.autoconfigure.job;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registrar of the auto-proxy creator, so that beans are proxied without AspectJ and with
 * {@code spring.aop.auto=false}. Proxies are class-based, as in Spring Boot, unless
 * {@code spring.aop.proxy-target-class} is {@code false}.
 */
class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	AutoProxyRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (this.environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
	}

}
