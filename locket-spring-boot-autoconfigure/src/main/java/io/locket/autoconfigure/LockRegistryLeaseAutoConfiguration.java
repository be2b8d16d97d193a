package io.locket.autoconfigure;

import java.time.Clock;

import io.locket.event.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.lease.LeaseConnections;
import io.locket.lease.LeaseHeartbeat;
import io.locket.lease.LeaseKeys;
import io.locket.lease.LeaseService;
import io.locket.lease.LeaseSettings;
import io.locket.lease.LeaseThreads;
import io.locket.lease.LockProbe;
import io.locket.lease.LockRegistryLeaseService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

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
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "locket.lease.store", havingValue = "lock-registry")
public final class LockRegistryLeaseAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LockRegistryLeaseAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LockRegistry.class)
	LeaseService locketLeaseService(LockRegistry<?> registry, LeaseSettings settings, JobKeys jobKeys,
			LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events, @Nullable LockProbe probe) {
		if (probe == null) {
			logger.info("Leases are locks of " + registry.getClass().getSimpleName()
					+ ": released by the thread that took them, without a fence; who holds one cannot be told");
		}
		return new LockRegistryLeaseService(registry, probe, settings, jobKeys, heartbeat, threads, events,
				Clock.systemUTC(), System::nanoTime);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnBean(LeaseConnections.class)
	static class ProbeConfiguration {

		@Bean
		@ConditionalOnBean(LockRegistry.class)
		LockProbe locketLockProbe(LockRegistry<?> registry, LeaseConnections connections, LeaseKeys keys) {
			LockProbe probe = new LockProbe(connections.shared(), keys, registry);
			try {
				probe.isSameSpace();
			}
			catch (RuntimeException ex) {
				logger.warn("Could not find out yet where " + registry.getClass().getSimpleName()
						+ " keeps its locks; trying again when a lock is refused. Look at its store: " + ex);
			}
			return probe;
		}

	}

}
