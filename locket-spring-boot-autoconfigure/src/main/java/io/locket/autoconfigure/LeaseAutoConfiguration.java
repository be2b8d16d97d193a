package io.locket.autoconfigure;

import java.time.Duration;

import io.locket.event.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.LeaseThreads;
import io.locket.lease.RedisLeaseService;
import io.locket.lease.memory.LockSpace;
import io.locket.queue.redis.MemoryPolicyCheck;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for leases in Redis: the lease service with its heartbeat, and a
 * {@link RedisLockRegistry} in the same lock space for the application's own use.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LocketProperties.class)
@Import(LocketBaseConfiguration.class)
@ImportRuntimeHints(LeaseRuntimeHints.class)
public final class LeaseAutoConfiguration {

	@Bean
	LocketInstance locketInstance(LocketProperties properties, Environment environment) {
		return LocketInstance.of(properties, environment);
	}

	@Bean(destroyMethod = "")
	LeaseThreads locketLeaseThreads() {
		return LeaseThreads.create();
	}

	@Bean
	LeaseHeartbeat locketLeaseHeartbeat(LocketProperties properties, LeaseThreads threads, JobEventPublisher events) {
		return new LeaseHeartbeat(properties.getLease().getHeartbeat(), threads.heartbeat(), threads.watch(),
				threads.notifier(), events, System::nanoTime);
	}

	@Bean
	LeaseSettings locketLeaseSettings(LocketProperties properties, LocketInstance instance,
			ObjectProvider<LeaseConnections> connections) {
		LeaseConnections redis = connections.getIfAvailable();
		Duration commandTimeout = (redis != null) ? redis.commandTimeout() : properties.getRedis().getCommandTimeout();
		return new LeaseSettings(properties.getLease().getDuration(), commandTimeout, instance.name(),
				properties.isMaskArguments(), properties.getRedis().getWaitReplicas());
	}

	/**
	 * What is in Redis, unless leases are in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean(RedisConnectionFactory.class)
	@ConditionalOnMissingBean(LockSpace.class)
	static class RedisConfiguration {

		@Bean
		LeaseKeys locketLeaseKeys(LocketProperties properties, LocketInstance instance) {
			String registryKey = properties.getLease().getRegistryKey();
			return (registryKey != null) ? new LeaseKeys(instance.namespace(), registryKey)
					: LeaseKeys.of(instance.namespace());
		}

		@Bean
		LeaseConnections locketLeaseConnections(LocketProperties properties, LeaseKeys keys, BeanFactory beanFactory,
				ObjectProvider<RedisConnectionFactory> connectionFactories) {
			return new LocketRedisFactory(properties, keys).create(beanFactory, connectionFactories);
		}

		@Bean
		MemoryPolicyCheck locketMemoryPolicyCheck(LeaseConnections connections) {
			return new MemoryPolicyCheck(connections);
		}

		@Bean
		MemoryPolicyNotice locketMemoryPolicyNotice(MemoryPolicyCheck check, LeaseThreads threads) {
			return new MemoryPolicyNotice(check, threads.notifier());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnProperty(name = "locket.lease.store", havingValue = "redis", matchIfMissing = true)
		LeaseService locketLeaseService(LeaseConnections connections, LeaseKeys keys, LeaseSettings settings,
				JobKeys jobKeys, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events) {
			return new RedisLeaseService(connections, keys, settings, jobKeys, heartbeat, threads, events,
					System::nanoTime);
		}

		@Bean
		@ConditionalOnClass(RedisLockRegistry.class)
		@ConditionalOnMissingBean(LockRegistry.class)
		RedisLockRegistry locketLockRegistry(LeaseConnections connections, LeaseKeys keys,
				LocketProperties properties) {
			RedisLockRegistry registry = new RedisLockRegistry(connections.shared(), keys.registryKey(),
					properties.getLease().getDuration());
			// The thread that unlocks waits for the unlocking in any case.
			registry.setExecutor(Runnable::run);
			registry.setCacheCapacity(65535);
			return registry;
		}

	}

}
