package io.locket.autoconfigure;

import java.time.Clock;

import io.locket.event.JobEventPublisher;
import io.locket.key.JobKeys;
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

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataAccessException;
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
			LeaseHeartbeat heartbeat, LeaseThreads threads, JobEventPublisher events, ObjectProvider<LocketRedis> redis,
			ObjectProvider<LeaseKeys> keys) {
		LocketRedis connections = redis.getIfAvailable();
		LockProbe probe = (connections != null)
				? probe(registry, new LockProbe(connections.connectionFactory(), keys.getObject())) : null;
		Runnable close = (connections != null) ? connections.close()
				: () -> logger.trace("The lock registry has no connection of Locket's");
		return new LockRegistryLeaseService(registry, probe, settings, jobKeys, heartbeat, threads, events,
				Clock.systemUTC(), System::nanoTime, close);
	}

	/**
	 * Find out whether the locks of the registry are in Locket's lock space, and say so
	 * if not.
	 */
	private static @Nullable LockProbe probe(LockRegistry<?> registry, LockProbe probe) {
		String consequence = "direct calls do not exclude what is locked there by others, and who holds a lock cannot"
				+ " be told";
		try {
			if (probe.sees(registry)) {
				logger.info("Leases are locks of " + registry.getClass().getSimpleName()
						+ " in Locket's own lock space: released by the thread that took them, without a fence");
				return probe;
			}
			logger.warn("Leases are locks of " + registry.getClass().getSimpleName()
					+ ", which are not under locket.lease.registry-key: " + consequence);
		}
		catch (DataAccessException | IllegalStateException ex) {
			logger.warn("Could not find out where " + registry.getClass().getSimpleName()
					+ " keeps its locks; taken as elsewhere, so that " + consequence + ": " + ex);
		}
		return null;
	}

}
