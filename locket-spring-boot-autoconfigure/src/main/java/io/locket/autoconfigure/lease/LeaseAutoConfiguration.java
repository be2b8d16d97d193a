package io.locket.autoconfigure.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.locket.autoconfigure.LocketBaseConfiguration;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.heartbeat.LeaseHeartbeat;
import io.locket.lease.heartbeat.LeaseThreads;
import io.locket.lease.redis.LeaseKeys;
import io.locket.lease.redis.RedisLeaseService;
import io.locket.lease.registry.LockProbe;
import io.locket.redis.OwnConnectionFactory;
import io.locket.redis.PermissionCheck;
import io.locket.redis.RedisConnections;
import io.locket.redis.ServerCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;
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

	/**
	 * Creates the threads of leases. They end when their last user has released them,
	 * which may be after the end of the context.
	 */
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
			ObjectProvider<LocketRedis> redis) {
		LocketRedis shared = redis.getIfAvailable();
		return new LeaseSettings(properties.getLease().getDuration(),
				(shared != null) ? shared.commandTimeout() : properties.getRedis().getCommandTimeout(), instance.name(),
				properties.isMaskArguments(), properties.getRedis().getWaitReplicas());
	}

	/**
	 * The beans for leases in Redis, unless the application has a lease service and a
	 * queue of its own.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RedisConnectionFactory.class, RedisLeaseService.class })
	@ConditionalOnBean(RedisConnectionFactory.class)
	@Conditional(OnMissingStore.class)
	@Order(1)
	static class RedisConfiguration {

		@Bean
		LeaseKeys locketLeaseKeys(LocketProperties properties, LocketInstance instance) {
			String registryKey = properties.getLease().getRegistryKey();
			return (registryKey != null) ? new LeaseKeys(instance.namespace(), registryKey)
					: LeaseKeys.of(instance.namespace());
		}

		@Bean
		RedisConnections locketRedisConnections(LocketProperties properties, LeaseKeys keys, LocketInstance instance,
				Environment environment, ListableBeanFactory beanFactory,
				ObjectProvider<RedisConnectionFactory> connectionFactories) {
			return new LocketRedisFactory(properties, keys, instance, environment).create(beanFactory,
					connectionFactories);
		}

		@Bean
		LocketRedis locketRedis(RedisConnections connections, LeaseKeys keys) {
			return new LocketRedis(RedisDescription.of(connections.shared()), keys.namespace(), keys.registryKey(),
					connections.commandTimeout(), () -> connections.retain()::close);
		}

		@Bean
		ServerCheck locketServerCheck(RedisConnections connections, LeaseKeys keys) {
			return new ServerCheck(connections.shared(), keys.isInOneSlot(ClusterSlotHashUtil::calculateSlot));
		}

		/**
		 * Creates the check of permissions, only for Locket's own connections.
		 */
		@Bean
		@ConditionalOnClass(name = "io.lettuce.core.RedisClient")
		@Nullable PermissionCheck locketPermissionCheck(RedisConnections connections, LeaseKeys keys) {
			return (connections.shared() instanceof OwnConnectionFactory own)
					? new PermissionCheck(own, keys.namespace(), keys.registryKey(), keys.channels()) : null;
		}

		@Bean
		RedisNotice locketRedisNotice(ServerCheck server, ObjectProvider<PermissionCheck> permissions,
				ObjectProvider<LockProbe> probes) {
			List<BooleanSupplier> checks = new ArrayList<>(List.of(server::run));
			permissions.ifAvailable((check) -> checks.add(check::run));
			return new RedisNotice(checks, probes.getIfAvailable());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnProperty(name = "locket.lease.store", havingValue = "redis", matchIfMissing = true)
		LeaseService locketLeaseService(RedisConnections connections, LeaseKeys keys, LeaseSettings settings,
				JobKeys jobKeys, LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events) {
			return new RedisLeaseService(connections, keys, settings, jobKeys, heartbeat, threads, events,
					System::nanoTime);
		}

	}

	/**
	 * The lock registry in the same lock space, which is created when it is needed. It
	 * has a class of its own, because a class cannot be examined if the return type of
	 * one of its methods is missing.
	 */
	@Configuration(proxyBeanMethods = false)
	@Lazy
	@ConditionalOnClass(RedisLockRegistry.class)
	@ConditionalOnBean({ RedisConnections.class, LeaseKeys.class })
	@Order(2)
	static class LockRegistryConfiguration {

		@Bean
		@ConditionalOnMissingBean(LockRegistry.class)
		RedisLockRegistry locketLockRegistry(RedisConnections connections, LeaseKeys keys,
				LocketProperties properties) {
			RedisLockRegistry registry = new RedisLockRegistry(connections.shared(), keys.registryKey(),
					properties.getLease().getDuration());
			// The unlocking thread waits for the result in any case.
			registry.setExecutor(Runnable::run);
			registry.setCacheCapacity(65535);
			return registry;
		}

	}

}
