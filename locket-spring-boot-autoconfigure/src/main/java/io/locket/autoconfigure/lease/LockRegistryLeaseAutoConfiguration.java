package io.locket.autoconfigure.lease;

import java.time.Clock;
import java.util.Arrays;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.registry.LockProbe;
import io.locket.lease.registry.LockRegistryLeaseService;
import io.locket.redis.RedisConnections;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for leases that are locks of the application's own
 * {@link LockRegistry}.
 */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass({ LockRegistry.class, LockRegistryLeaseService.class })
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "locket.lease.store", havingValue = "lock-registry")
public final class LockRegistryLeaseAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LockRegistryLeaseAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LockRegistry.class)
	LeaseService locketLeaseService(ObjectProvider<LockRegistry<?>> registries, ListableBeanFactory beanFactory,
			LeaseSettings settings, JobKeys jobKeys, LeaseHeartbeat heartbeat, LeaseThreads threads,
			JobEventPublisher events, @Nullable LockProbe probe) {
		LockRegistry<?> registry = find(registries, beanFactory);
		if (probe == null) {
			logger.info("Leases are locks of " + registry.getClass().getSimpleName()
					+ ". They have no fencing token and no known holder, and only the thread that acquired a lock can"
					+ " release it");
		}
		return new LockRegistryLeaseService(registry, probe, settings, jobKeys, heartbeat, threads, events,
				Clock.systemUTC(), System::nanoTime);
	}

	private static LockRegistry<?> find(ObjectProvider<LockRegistry<?>> registries, ListableBeanFactory beanFactory) {
		LockRegistry<?> registry = registries.getIfUnique();
		if (registry == null) {
			String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, LockRegistry.class);
			throw new InvalidLocketConfigurationException(new Problem("locket.lease.store", "lock-registry",
					"needs one LockRegistry bean, and none of " + Arrays.toString(names) + " is the primary one.",
					"Mark the bean whose locks are to be the leases with @Primary."));
		}
		return registry;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean(RedisConnections.class)
	static class ProbeConfiguration {

		@Bean
		@ConditionalOnBean(LockRegistry.class)
		LockProbe locketLockProbe(ObjectProvider<LockRegistry<?>> registries, ListableBeanFactory beanFactory,
				RedisConnections connections, LeaseKeys keys) {
			LockRegistry<?> registry = find(registries, beanFactory);
			return new LockProbe(connections.shared(), keys, registry, () -> connections.retain()::close);
		}

	}

}
